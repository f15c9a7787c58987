import { unavailable } from '../../errors.ts';
import type { Database } from '../database.ts';
import { changeHead } from '../journal/head.ts';
import { readItems } from '../journal/items.ts';

/** The process that holds the fold renews the hold. If the process dies, folds continue after this time, in milliseconds. */
const LEASE_MS = 60_000;

const POLL_MS = 500;

/** How long an earlier batch may take. */
const MAX_WAIT_MS = 120_000;

/** Waits until a batch that was claimed before the hold has ended. */
async function untilAtRest(database: Database): Promise<void> {
  for (let waited = 0; waited <= MAX_WAIT_MS; waited += POLL_MS) {
    const { head } = await readItems(database);
    if (head.batch.length === 0) return;
    await database.runtime.sleep(POLL_MS);
  }
  throw unavailable('A fold that had begun did not end');
}

/**
 * Runs a function while no fold runs. Users are written and read as usual, and the journal grows.
 *
 * @throws {ServiceError} 503 when a fold that has begun does not end within two minutes
 */
export async function withFoldHeld<Result>(database: Database, run: () => Promise<Result>): Promise<Result> {
  const { runtime } = database;
  let [until, tried] = [0, 0];
  const hold = async () => {
    tried = runtime.now() + LEASE_MS;
    await changeHead(database, { set: { heldUntil: tried } });
    until = tried;
  };
  let renewal: Promise<unknown> = Promise.resolve();
  await hold();
  const timer = setInterval(() => {
    renewal = hold().catch(() => {});
  }, LEASE_MS / 4);
  try {
    await untilAtRest(database);
    return await run();
  } finally {
    clearInterval(timer);
    await renewal;
    // Unless another process has held it since. `tried` may have been stored although it was not answered.
    const condition = '#heldUntil = :until OR #heldUntil = :tried';
    await changeHead(database, { set: { heldUntil: 0 }, condition, values: { until, tried } });
  }
}
