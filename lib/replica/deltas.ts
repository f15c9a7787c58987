/**
 * The users of a batch of the fold, as it left them: `deltas`, epoch and part: the newest version of each of them, whole, or that it is gone. A
 * delta never changes: a fold that has all entries of a batch writes it, and every such fold writes the same. It is there until a base has it, and
 * some minutes longer.
 *
 * A large stage has a copy of each under one of several keys, `deltas:<epoch mod 16>`, because one partition serves no fifty new containers.
 * Readers take the copies, and nothing depends on them: where one is missing, as after an upgrade, the key of all has it. So versions before
 * 3.0.0, which know that key alone, read beside later ones, and after them.
 */

import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { get, type Item, putItems, query, queryFirst } from '../dynamodb/index.ts';
import { inParallel } from '../ground/index.ts';
import type { JournalEntry } from './entry.ts';
import { ID_DIGITS, padded } from './entry.ts';
import type { StoredBase } from './head.ts';
import { newestOf } from './journal.ts';
import { quarantine } from './quarantine.ts';
import { type Changed, rowsOf } from './rows.ts';
import type { Storage } from './storage.ts';

export const DELTAS = 'deltas';

/** The partition of the copy of an epoch. */
const copyPartition = ({ limits }: Storage, epoch: number): string => `${DELTAS}:${epoch % limits.deltaKeys}`;

/** All partitions that may have deltas. */
export const deltaPartitions = (database: Storage): string[] => [
  DELTAS,
  ...Array.from({ length: database.limits.deltaKeys }, (_, i) => copyPartition(database, i)),
];

/** A delta does not hold. Nobody may go on without it: the users must be read anew. The message names it. */
export class BrokenDelta extends Error {
  override readonly name = 'BrokenDelta';
}

const PART_DIGITS = 4;

/** How many users are read at a time. */
const READS = 4;

/** The key of a part, or, without one, what is before the parts of an epoch. */
export const deltaKey = (epoch: number, part?: number): string =>
  padded(epoch) + (part === undefined ? '' : String(part).padStart(PART_DIGITS, '0'));

const epochOf = (sk: unknown): number => Number(String(sk).slice(0, -PART_DIGITS));

/** A part may not become larger than any that is written. */
const MOST_BYTES = 8_000_000;

/** Most parts are smaller. Node would make pieces of 16 KB, and join them. */
const IN_ONE_PIECE = 2 ** 19;

/**
 * Of all that is stored of a part but its partition, so that every single bit counts. zstd's own checksum is one of what is unpacked: it passes
 * over bits that change nothing but how that is done.
 */
const checksumOf = ({ sk, of, data }: Item): number => crc32(data as Uint8Array, crc32(`${sk}/${of}`));

/** The users of a batch, in parts that each fit into an item. */
function inParts(changed: readonly Changed[], mostCharacters: number): Changed[][] {
  const parts: Changed[][] = [[]];
  let characters = 0;
  for (const each of changed) {
    characters += each[1]?.length ?? 0;
    if (characters > mostCharacters && parts.at(-1)?.length) {
      parts.push([]);
      characters = each[1]?.length ?? 0;
    }
    parts.at(-1)?.push(each);
  }
  return parts;
}

/** The row that an entry has made. If it cannot be read, that of the table, read strongly: later entries, if there are any, have it, too. */
async function changedBy(database: Storage, { id, after }: JournalEntry): Promise<Changed> {
  const { tables, rows } = database;
  for (const _ of rowsOf(rows, [[id, after ?? null]])) return [id, after ?? null];
  const item = await get(database, tables.users, { id });
  const row = item && rows.ofItem(item);
  return [id, row ? rows.write(row) : null];
}

/**
 * Writes the delta of a batch, of which the caller has all entries. Any fold may repeat it.
 *
 * @param users how many the base has: of many there is a copy, too
 */
export async function writeDelta(
  database: Storage,
  epoch: number,
  batch: readonly JournalEntry[],
  users = 0,
): Promise<void> {
  const changed = await inParallel(newestOf(batch), READS, (entry) => changedBy(database, entry));
  const parts = inParts(changed, database.limits.deltaCharacters);
  const partitions = users < database.limits.manyUsers ? [DELTAS] : [DELTAS, copyPartition(database, epoch)];
  const items = parts.flatMap((part, i) => {
    const item = { sk: deltaKey(epoch, i), of: parts.length, data: zstdCompressSync(JSON.stringify(part)) };
    return partitions.map((pk) => ({ pk, ...item, checksum: checksumOf(item) }));
  });
  await putItems(database, database.tables.directory, items);
}

/** @throws {BrokenDelta} */
function unpack(item: Item): Changed[] {
  const { pk, sk, checksum, data } = item;
  try {
    if (checksum !== checksumOf(item)) throw new TypeError('Its checksum is another one');
    const bytes = zstdDecompressSync(data as Uint8Array, { maxOutputLength: MOST_BYTES, chunkSize: IN_ONE_PIECE });
    const changed: Changed[] = JSON.parse(bytes.toString());
    if (changed.every(([id]) => Number.isSafeInteger(id))) return changed;
    throw new TypeError('An id is none');
  } catch (cause) {
    throw new BrokenDelta(`The delta ${sk} in ${pk}`, { cause });
  }
}

/** Whether each epoch after one, up to another, has all of its parts. */
function areWhole(items: readonly Item[], after: number, until: number): boolean {
  const epochs = Map.groupBy(items, ({ sk }) => epochOf(sk));
  const isWhole = items.every(({ sk, of }) => epochs.get(epochOf(sk))?.length === Number(of));
  return isWhole && epochs.size === until - after;
}

/** The epochs after one, up to another. */
interface Epochs {
  after: number;
  until: number;
}

/** @returns undefined if a part is missing @throws {BrokenDelta} */
async function readWhole(
  database: Storage,
  partitions: readonly string[],
  { after, until }: Epochs,
  isWeak: boolean,
): Promise<Changed[] | undefined> {
  const [from, to] = [deltaKey(after + 1), deltaKey(until + 1)];
  const found = partitions.map((partition) => {
    const range = { partition: ['pk', partition] as const, sort: 'sk', from, to };
    return Array.fromAsync(query(database, { table: database.tables.directory, ...range }, { isWeak }));
  });
  const items = (await Promise.all(found)).flat();
  if (!areWhole(items, after, until)) return undefined;
  return items.sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1)).flatMap(unpack);
}

/** Of copies, if there are any: a partition for each epoch, side by side. Eventually consistent: what is there never changes. */
async function readSoon(database: Storage, epochs: Epochs, users: number): Promise<Changed[] | undefined> {
  const { deltaKeys, manyUsers } = database.limits;
  const count = Math.min(deltaKeys, epochs.until - epochs.after);
  const copies = Array.from({ length: count }, (_, i) => copyPartition(database, epochs.after + 1 + i));
  try {
    return await readWhole(database, users < manyUsers ? [DELTAS] : copies, epochs, true);
  } catch (error) {
    if (!(error instanceof BrokenDelta)) throw error;
    quarantine(error.message, error.cause);
    return undefined;
  }
}

/**
 * D3. The changes of all batches after an epoch, up to another, in their order. Half a read unit for each 4 KB; a whole one, and half as much
 * again, where a delta is too young for that, or has no copy.
 *
 * @param base that of the head: what it has may be swept, so nobody looks for it twice
 * @returns undefined if one, or a part of one, is missing: a base has it
 * @throws {BrokenDelta} if one does not hold
 */
export async function readDeltas(
  database: Storage,
  after: number,
  until: number,
  base: Pick<StoredBase, 'users' | 'epoch'> = { users: 0, epoch: 0 },
): Promise<Changed[] | undefined> {
  if (until <= after) return [];
  const epochs = { after, until };
  const found = await readSoon(database, epochs, base.users);
  return found ?? (after < base.epoch ? undefined : readWhole(database, [DELTAS], epochs, false));
}

/** D4. The highest epoch that has a delta, or a part of a base in its partition; 0 if there is none. Strongly consistent. */
export async function readLastEpoch(database: Storage, partition = DELTAS): Promise<number> {
  const range = { table: database.tables.directory, partition: ['pk', partition] as const };
  const last = await queryFirst(database, range, { isDescending: true });
  return Number(String(last?.sk ?? 0).slice(0, ID_DIGITS));
}
