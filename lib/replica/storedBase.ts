/**
 * The base: all users of a moment, in parts of at most 380 KB, in 64 partitions, which spreads readers: `base:<0…63>`, name and number
 * of the part. Parts never change. The head names the base that counts; those of lower epochs are swept, by any process, some minutes after.
 */

import { BrokenBase, kindNames, open, pack, type Replica } from '../columns/index.ts';
import { getItems, type Item, type Patience, putItems } from '../dynamodb/index.ts';
import type { StoredBase } from './head.ts';
import { newBaseName } from './headChanges.ts';
import { quarantine } from './quarantine.ts';
import type { Storage } from './storage.ts';

export const basePartition = (number: number): string => `base:${number}`;

const PART_DIGITS = 6;

/**
 * Many new containers share what a table gives. Longer pauses would leave it unused. All calls take longer than a function has: a reader that gives up a
 * part before that reads all of them again, and takes the units of others.
 */
const SHARING: Patience = { delays: { base: 250, longest: 1_000 }, calls: 80 };

/** A call takes some milliseconds of processor time, however many parts it reads. These are four megabytes with base64. */
const PARTS_A_CALL = 8;

/** One is sent while the other is received. More would leave less to the readers of the journal, which may be in the same partition. */
const CALLS_AT_ONCE = 2;

const numberOf = ({ sk }: Item): number => Number(String(sk).slice(-PART_DIGITS));

/** The keys of the parts of a base, in their order. */
const partKeys = ({ name, parts }: Pick<StoredBase, 'name' | 'parts'>, partitions: number) =>
  Array.from({ length: parts }, (_, part) => ({
    pk: basePartition(part % partitions),
    sk: `${name}-${String(part).padStart(PART_DIGITS, '0')}`,
  }));

/** Writes a base, part by part. It counts once the head names it. @param at when its users were read, in Unix milliseconds */
export async function writeBase(database: Storage, rows: Replica, epoch: number, at: number): Promise<StoredBase> {
  const { partBytes, basePartitions } = database.limits;
  const { bytes, checksum, unpacked } = pack(rows, database.rows.carried);
  const name = newBaseName(database, epoch);
  const parts = Math.ceil(bytes.length / partBytes);
  const items = partKeys({ name, parts }, basePartitions).map((key, part) => ({
    ...key,
    data: bytes.subarray(part * partBytes, (part + 1) * partBytes),
  }));
  await putItems(database, database.tables.directory, items, { isPaced: true });
  return {
    name,
    epoch,
    users: rows.total,
    parts,
    checksum,
    unpacked,
    at,
    kinds: JSON.stringify(kindNames(database.rows.kinds)),
  };
}

/** Whether a base lacks a field that this version knows: one that did not has written it, before or after it had values. */
export function lacksFields({ rows }: Storage, { kinds }: StoredBase): boolean {
  const made = JSON.parse(kinds) as Record<string, unknown>;
  return Object.entries(kindNames(rows.kinds)).some(([field, kind]) => made[field] !== kind);
}

/** D6. All parts in their order; undefined if one is missing. Half a read unit for each 4 KB, or a whole one if they are read strongly. */
async function readParts(database: Storage, stored: StoredBase, isWeak: boolean): Promise<Item[] | undefined> {
  const keys = partKeys(stored, database.limits.basePartitions);
  const batches = { size: PARTS_A_CALL, atOnce: CALLS_AT_ONCE, patience: SHARING };
  const items = await getItems(database, database.tables.directory, keys, { ...batches, isWeak });
  return items.length === stored.parts ? items.sort((a, b) => numberOf(a) - numberOf(b)) : undefined;
}

/**
 * Loads a base. Its parts are read side by side, and eventually consistent: they never change, and one that is missing is looked for again.
 *
 * @returns `missing` when another base has taken its place, and it was swept; `broken` if it does not hold
 */
export async function loadBase(database: Storage, stored: StoredBase): Promise<Replica | 'missing' | 'broken'> {
  const items = (await readParts(database, stored, true)) ?? (await readParts(database, stored, false));
  if (!items) return 'missing';
  try {
    const parts = items.map(({ data }) => data as Uint8Array);
    const { kinds, carried } = database.rows;
    return open(kinds, parts, stored.checksum, carried);
  } catch (error) {
    if (!(error instanceof BrokenBase)) throw error;
    quarantine(`The base ${stored.name}`, error);
    return 'broken';
  }
}
