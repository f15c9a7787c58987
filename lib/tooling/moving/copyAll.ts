import { isDeepStrictEqual } from 'node:util';
import { pickFields } from '../../users/user.ts';
import type { Reader } from './copySource.ts';
import type { Writer } from './copyTarget.ts';
import { type Pair, pairUp, usersById } from './usersById.ts';

/** Makes the target have what the source has. */
async function settle({ id, source, target }: Pair, writer: Writer): Promise<void> {
  if (!source) return writer.remove(id);
  const fields = pickFields(source);
  if (!target || !isDeepStrictEqual(pickFields(target), fields)) await writer.put(id, fields, target !== undefined);
}

export interface CopyAllOptions {
  source: Reader;
  target: Reader;
  writer: Writer;
  /** The users after this id. */
  reached: number;
  parallel: number;
  /** All users up to `reached` are the same now; `users` more than before. */
  onReached: (reached: number, users: number) => Promise<void>;
  /** Ends it after the requests that have been sent. */
  signal: AbortSignal;
}

/**
 * Goes through the users of both services by id, and makes the target's users the same, several at a time. A user who is the
 * same already costs no write, so it can be repeated.
 */
export async function copyAll(options: CopyAllOptions): Promise<void> {
  const { source, target, writer, parallel, onReached, signal } = options;
  const pairs = pairUp(usersById(source.batch, options.reached), usersById(target.batch, options.reached));
  // In the order in which they were added, so the first one is the lowest.
  const underWay = new Set<number>();
  let [last, users, isStopped] = [options.reached, 0, false];

  async function work(): Promise<void> {
    while (!isStopped && !signal.aborted) {
      const next = await pairs.next();
      if (next.done) return;
      const { id } = next.value;
      underWay.add(id);
      last = id;
      await settle(next.value, writer);
      underWay.delete(id);
      users += Number(next.value.source !== undefined);
      const [lowest = last + 1] = underWay;
      await onReached(lowest - 1, users);
    }
  }

  const workers = Array.from({ length: parallel }, () =>
    work().catch((error: unknown) => {
      isStopped = true;
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  await pairs.return(undefined);
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
}
