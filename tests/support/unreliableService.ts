import { inject, onTestFinished, vi } from 'vitest';
import { type Invoke, loadHandlers } from './handlers.ts';
import { captureLog } from './logs.ts';
import { serviceOn } from './service.ts';

import { startUnreliableStore, type UnreliableStore } from './unreliableStore.ts';

/** The handlers with a store that a test controls. Both end with the test. */
export async function serveUnreliably(): Promise<{ store: UnreliableStore; invoke: Invoke }> {
  captureLog();
  const store = await startUnreliableStore(inject('endpoint'));
  onTestFinished(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await store.stop();
  });
  return { store, invoke: await loadHandlers((await serviceOn.embedded()).tables, store.endpoint) };
}
