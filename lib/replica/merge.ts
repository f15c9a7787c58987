/**
 * The base is replaced by the next one when many users have changed since, when they may have become too long, or short enough, for the memory of
 * functions that list, when something was erased, and once a week. The next one has no
 * values that nobody has any more. Its parts are written first, then the head names it; ten minutes later, when nobody reads them, the parts
 * and the deltas of before are swept, by any process. A process may die at any step: what it leaves is swept the next time.
 */

import { compaction } from '../columns/index.ts';
import { deleteItems, query } from '../dynamodb/index.ts';
import { deltaKey, deltaPartitions } from './deltas.ts';
import { padded } from './entry.ts';
import type { HeadWithBase } from './head.ts';
import { putMerged } from './headChanges.ts';
import { mergedFrom, sizeOf } from './limits.ts';
import type { ReadReplica } from './replica.ts';
import { mayBeOtherwise } from './room.ts';
import { NO_KEEPER, type Storage } from './storage.ts';
import { basePartition, writeBase } from './storedBase.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/** By then the changes of an erased user have left the journal. Where people are erased all the time, a merge waits for no last one. */
const ERASED_MS = 5 * MINUTE_MS;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/** Longer than any reader takes from the head to the last part that it names. */
export const GRACE_MS = 10 * MINUTE_MS;

export function isMergeDue(
  { limits }: Storage,
  { base, epoch, changed, mergeAsked, ...growth }: HeadWithBase,
  now: number,
): boolean {
  const erased = mergeAsked + ERASED_MS;
  const isErased = mergeAsked > 0 && base.at < erased && (erased <= now || now - base.at > LONGEST_WAIT_MS);
  const isLarge = changed >= mergedFrom(limits, base.users) || mayBeOtherwise(limits, sizeOf(base), growth);
  return epoch > base.epoch && (isErased || isLarge || now - base.at > WEEK_MS);
}

/** Puts the users as they are in the place of the base. Another merge, or a repair, may be faster: then nothing happens. */
export async function merge(database: Storage, users: ReadReplica): Promise<void> {
  const at = database.runtime.now();
  const { keeper = NO_KEEPER } = database;
  const tell = await keeper.beforeMerge(database);
  const { head, replica } = await users.now();
  const next = compaction(replica).movedTo(replica);
  const base = await writeBase(database, next, head.epoch, at);
  if (await putMerged(database, head.base, base)) await tell(next.names);
}

/** D9. The items of a partition up to a key, which none of them has: what is in them is read as well, half a read unit for each 4 KB. */
async function deleteUpTo(database: Storage, partition: string, to: string): Promise<void> {
  const { directory } = database.tables;
  const range = { table: directory, partition: ['pk', partition] as const, sort: 'sk', to };
  const keys = await Array.fromAsync(query(database, range, { isWeak: true, only: ['pk', 'sk'] }));
  await deleteItems(database, directory, keys, { isPaced: true });
}

/** The last batch that each reader has: the base, and an index that is being made. */
const readUntil = ({ base, copy }: HeadWithBase): number =>
  Math.min(base.indexed ?? base.epoch, copy ? (copy.indexed ?? copy.epoch) : Number.POSITIVE_INFINITY);

/** Deletes the deltas that a base has, and the parts of all bases before it. */
export async function sweep(database: Storage, head: HeadWithBase): Promise<void> {
  const { base } = head;
  for (const partition of deltaPartitions(database))
    await deleteUpTo(database, partition, deltaKey(readUntil(head) + 1));
  for (let i = 0; i < database.limits.basePartitions; i++)
    await deleteUpTo(database, basePartition(i), padded(base.epoch));
}
