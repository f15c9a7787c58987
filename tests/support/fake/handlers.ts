import { vi } from 'vitest';
import type { Runtime } from '../../../lib/ground/index.ts';
import type { Limits } from '../../../lib/users/database.ts';
import { type Invoke, loadHandlers } from '../calls.ts';
import { attach, type Reached } from './sdk.ts';
import { TABLES } from './store.ts';

/** Loads the handlers over a store in memory, with the given clock and sleep. `vi.resetModules` ends it. */
export async function loadHandlersOn(
  reached: () => Reached,
  systemRuntime: Runtime,
  limits: Partial<Limits> = {},
): Promise<Invoke> {
  vi.doMock('../../../lib/ground/runtime.ts', async (original) => ({ ...(await original<object>()), systemRuntime }));
  vi.doMock('../../../lib/users/database.ts', async (original) => {
    const others = await original<typeof import('../../../lib/users/database.ts')>();
    return { ...others, LIMITS: { ...others.LIMITS, ...limits } };
  });
  vi.doMock('../../../lib/dynamodb/client.ts', async (original) => {
    const { createDynamo } = await original<typeof import('../../../lib/dynamodb/index.ts')>();
    return { createDynamo: (...options: Parameters<typeof createDynamo>) => attach(createDynamo(...options), reached) };
  });
  return loadHandlers(TABLES, 'http://127.0.0.1:1');
}
