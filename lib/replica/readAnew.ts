/** A base of the users in the table: of a new stage, after a lost head, and when what is stored of them does not hold. */
import { type Replica, type Row, replicaFrom } from '../columns/index.ts';
import { type Item, scan } from '../dynamodb/index.ts';
import { deltaPartitions, readLastEpoch } from './deltas.ts';
import type { Head } from './head.ts';
import { makeHead, putRead } from './headChanges.ts';
import { readHead, readToClaim } from './journal.ts';
import { oldestFirst } from './oldestFirst.ts';
import type { Storage } from './storage.ts';
import { basePartition, writeBase } from './storedBase.ts';

/** The rows among some items of the table. */
const rowsAmong = ({ rows }: Storage, items: readonly Item[]): Row[] =>
  items.flatMap((item) => rows.ofItem(item) ?? []);

/** D7. All rows, strongly consistent. A read unit for each 4 KB of the table. @param onItems gets the items, some at a time */
export async function scanUsers(
  database: Storage,
  onItems: (items: readonly Item[]) => void = () => {},
): Promise<Replica> {
  const rows: Row[] = [];
  await scan(database, database.tables.users, (items) => {
    for (const row of rowsAmong(database, items)) rows.push(row);
    onItems(items);
  });
  return replicaFrom(database.rows.kinds, rows);
}

/** By far longer than it takes. */
const READ_WITHIN_MS = 60_000;

/** Where deltas and the parts of bases are: their keys begin with an epoch. */
const partitionsOf = (database: Storage): string[] => [
  ...deltaPartitions(database),
  ...Array.from({ length: database.limits.basePartitions }, (_, i) => basePartition(i)),
];

/**
 * Makes a head where there is none. Its epoch is above all that were before, also by other clocks: their deltas must not pass for its own,
 * and their parts must be swept. Its batch has all entries, because a fold from before may still be deleting some of them; the base, which is
 * read after it, has them all.
 */
export async function beginHead(database: Storage): Promise<Head> {
  const { runtime, limits } = database;
  for (;;) {
    const began = runtime.monotonic();
    const { head, claimable, parts } = await readToClaim(database);
    if (head) return head;
    const last = await Promise.all(partitionsOf(database).map((partition) => readLastEpoch(database, partition)));
    const epoch = Math.max(runtime.now(), ...last.map((each) => each + 1));
    const batch = oldestFirst(claimable).slice(0, limits.headEntries);
    // Who was frozen since may have slept through another head, which is lost by now, too: its entries are others.
    if (runtime.monotonic() - began > READ_WITHIN_MS) continue;
    await makeHead(database, epoch, batch.map(({ sk }) => sk).sort(), parts);
  }
}

/** Gives a new stage its head and its first base, and one that has lost its head another. Other processes may do the same. */
export async function beginLists(database: Storage): Promise<void> {
  while (!(await readHead(database))?.base) await readAnew(database, await beginHead(database));
}

/**
 * Reads all users anew, and puts a base of them in place: beside writers, folds and others who do the same.
 *
 * @param noted the head before the users are read. Whoever goes on from its epoch misses nothing
 * @param scan reads all users
 * @returns false if another process was faster
 */
export async function readAnew(
  database: Storage,
  noted: Head,
  scan: (database: Storage) => Promise<Replica> = scanUsers,
  isNewFeed = false,
): Promise<boolean> {
  const at = database.runtime.now();
  const replica = await scan(database);
  const base = await writeBase(database, replica, noted.epoch, at);
  return putRead(database, noted, base, isNewFeed);
}
