/** A base of the rows in the table: of a new stage, after a lost head, and when what is stored does not hold. */
import { type Replica, type Row, replicaFrom } from '../columns/index.ts';
import { type Item, scan } from '../dynamodb/index.ts';
import { deltaPartitions, readLastEpoch } from './deltas.ts';
import type { Head } from './head.ts';
import { makeHead, putRead } from './headChanges.ts';
import { readClaimable, readHead } from './journal.ts';
import { oldestFirst } from './oldestFirst.ts';
import type { Storage } from './storage.ts';
import { basePartition, writeBase } from './storedBase.ts';

/** D7. All rows, strongly consistent. A read unit for each 4 KB of the table. @param onItems gets the items, some at a time */
export async function scanRows(
  storage: Storage,
  onItems: (items: readonly Item[]) => void = () => {},
): Promise<Replica> {
  const rows: Row[] = [];
  await scan(storage, storage.tables.users, (items) => {
    for (const item of items) {
      const row = storage.rows.ofItem(item);
      if (row) rows.push(row);
    }
    onItems(items);
  });
  return replicaFrom(storage.rows.kinds, rows);
}

/** A head is made within this time of reading the journal, which takes far less. In milliseconds: a process that was frozen for longer begins again. */
const MADE_WITHIN_MS = 60_000;

/** Where deltas and the parts of bases are: their keys begin with an epoch. */
const partitionsWithEpochs = (storage: Storage): string[] => [
  ...deltaPartitions(storage),
  ...Array.from({ length: storage.limits.basePartitions }, (_, i) => basePartition(i)),
];

/**
 * Makes a head where there is none. Its epoch is above all that were before, also by other clocks: their deltas must not pass for its own,
 * and their parts must be swept. Its batch has all entries, because a fold from before may still be deleting some of them; the base, which is
 * read after it, has them all.
 */
export async function beginHead(storage: Storage): Promise<Head> {
  const { runtime, limits } = storage;
  for (;;) {
    const began = runtime.monotonic();
    const { head, claimable, parts } = await readClaimable(storage);
    if (head) return head;
    const last = await Promise.all(partitionsWithEpochs(storage).map((partition) => readLastEpoch(storage, partition)));
    const epoch = Math.max(runtime.now(), ...last.map((each) => each + 1));
    const batch = oldestFirst(claimable).slice(0, limits.headEntries);
    // A process that was frozen since may have slept through another head, which is lost by now, too: its entries are others.
    if (runtime.monotonic() - began > MADE_WITHIN_MS) continue;
    await makeHead(storage, epoch, batch.map(({ sk }) => sk).sort(), parts);
  }
}

/**
 * Reads all rows again, and puts a base of them in place: beside writers, folds and others who do the same.
 *
 * @param noted the head before the rows are read. A reader that goes on from its epoch misses nothing
 * @param read reads all rows
 * @param isNewFeed whether the feed of changes begins again, because it lacks some
 * @returns false if another process was faster
 */
export async function rebuild(
  storage: Storage,
  noted: Head,
  read: (storage: Storage) => Promise<Replica> = scanRows,
  isNewFeed = false,
): Promise<boolean> {
  const at = storage.runtime.now();
  const replica = await read(storage);
  const base = await writeBase(storage, replica, noted.epoch, at);
  return putRead(storage, noted, base, isNewFeed);
}

/** Gives a new stage its head and its first base, and one that has lost its head another. Other processes may do the same. */
export async function ensureBase(storage: Storage): Promise<void> {
  while (!(await readHead(storage))?.base) await rebuild(storage, await beginHead(storage));
}
