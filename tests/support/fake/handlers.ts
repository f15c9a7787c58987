import { vi } from 'vitest';
import type { Runtime } from '../../../lib/runtime.ts';
import type { Sizes } from '../../../lib/users/sizes.ts';
import { type Invoke, loadHandlers } from '../handlers.ts';
import { attach, type Reached } from './sdk.ts';
import { TABLES } from './store.ts';

/** The handlers with a store in memory and a given clock and sleep. Ends with `vi.resetModules`. */
export async function loadHandlersOn(
  reached: () => Reached,
  systemRuntime: Runtime,
  sizes: Partial<Sizes> = {},
): Promise<Invoke> {
  vi.stubEnv('AWS_REGION', 'local');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.doMock('../../../lib/runtime.ts', async (original) => ({ ...(await original<object>()), systemRuntime }));
  vi.doMock('../../../lib/users/sizes.ts', async (original) => {
    const { SIZES } = await original<{ SIZES: Sizes }>();
    return { SIZES: { ...SIZES, ...sizes } };
  });
  vi.doMock('../../../lib/dynamodb/client.ts', async (original) => {
    const { createDynamo } = await original<typeof import('../../../lib/dynamodb/client.ts')>();
    return { createDynamo: (...options: Parameters<typeof createDynamo>) => attach(createDynamo(...options), reached) };
  });
  return loadHandlers(TABLES, 'http://127.0.0.1:1');
}
