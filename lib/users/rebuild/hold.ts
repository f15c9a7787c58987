import { unavailable } from '../../errors.ts';
import type { Database } from '../database.ts';
import { changeHead, type Head } from '../journal/head.ts';
import { readItems } from '../journal/items.ts';

/** The process that holds the fold renews the hold. If the process dies, folds continue after this time, in milliseconds. */
const LEASE_MS = 60_000;

const POLL_MS = 500;

/** How long an earlier batch may take. */
const MAX_WAIT_MS = 120_000;

/** Waits until a batch that was claimed before the hold has ended. */
async function untilAtRest(database: Database): Promise<Head> {
  for (let waited = 0; waited <= MAX_WAIT_MS; waited += POLL_MS) {
    const { head } = await readItems(database);
    if (head.batch.length === 0) return head;
    await database.runtime.sleep(POLL_MS);
  }
  throw unavailable('A fold that had begun did not end');
}

/**
 * Runs a function while no fold runs. Users are written and read as usual, and the journal grows.
 *
 * @throws {ServiceError} 503 when a fold that has begun does not end within two minutes
 */
export async function withFoldHeld<Result>(database: Database, run: (head: Head) => Promise<Result>): Promise<Result> {
  const holdUntil = (heldUntil: number) => changeHead(database, { set: { heldUntil } });
  const hold = () => holdUntil(database.runtime.now() + LEASE_MS);
  let renewal: Promise<unknown> = hold();
  await renewal;
  const timer = setInterval(() => {
    renewal = hold().catch(() => {});
  }, LEASE_MS / 4);
  try {
    return await run(await untilAtRest(database));
  } finally {
    clearInterval(timer);
    await renewal;
    // Also if another process has held it since: that one holds it again soon, and is refused what it builds if a fold has run.
    await holdUntil(0);
  }
}
