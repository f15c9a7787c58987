import {
  deleteItems,
  get,
  type Item,
  type KeyRange,
  type Page,
  query,
  queryFirst,
  queryPages,
} from '../dynamodb/index.ts';
import {
  entriesOf,
  entryHash,
  entryKey,
  JOURNAL,
  type JournalEntry,
  MOST_PARTS,
  partitionsOf,
  toEntry,
} from './entry.ts';
import { addModulo } from './hash.ts';
import { type ForWriters, HEAD_KEY, type Head, toForWriters, toHead } from './head.ts';
import { quarantine } from './quarantine.ts';
import type { Storage } from './storage.ts';

/**
 * Entries stay in the journal for at least as long after their batch was claimed, and after a fold has seen them, in milliseconds. A reading that
 * takes longer may lack some, and counts only if no batch was claimed meanwhile.
 */
export const READ_WITHIN_MS = 1_000;

const isHead = (item: Item | undefined): boolean => item?.sk === HEAD_KEY;

/** The head and all entries: first the head, then the entries by id, and each user's newest first. */
export interface Journal {
  /** Undefined at a new stage, and if it was lost. */
  head: Head | undefined;
  entries: JournalEntry[];
  /** In how many parts they are. */
  parts: number;
  /** The read units that they cost. */
  units: number;
}

const allOf = ({ tables }: Storage, partition = JOURNAL): KeyRange => ({
  table: tables.directory,
  partition: ['pk', partition],
});

/** Whether a key is one that the service makes. Others stay in the journal, and stop nothing. */
function isSound({ sk, id, version }: JournalEntry): boolean {
  const isOwn = Number.isSafeInteger(id) && id > 0 && sk === entryKey({ id, version });
  if (!isOwn) quarantine(`The entry ${sk}`, undefined);
  return isOwn;
}

/** The items of a part. More than a megabyte comes in several pages. */
async function readPart(database: Storage, partition: string): Promise<Pick<Page, 'items' | 'units'>> {
  const pages = await Array.fromAsync(queryPages(database, allOf(database, partition)));
  return { items: pages.flatMap(({ items }) => items), units: pages.reduce((sum, { units }) => sum + units, 0) };
}

const byKey = (a: JournalEntry, b: JournalEntry): number => (a.sk < b.sk ? -1 : 1);

/**
 * D2. Strongly consistent, item by item. One read unit for each 4 KB of a part of the journal, at least one. A reader who finds a write in a part
 * finds all later ones of its user in it, because the fold deletes a user's older entries first.
 *
 * The first part comes before the others, with the head: none of them may be older than it. They are read side by side.
 */
export async function readJournal(database: Storage): Promise<Journal> {
  const first = await readPart(database, JOURNAL);
  const head = isHead(first.items[0]) ? toHead(first.items.shift() ?? {}) : undefined;
  // Without a head there is an entry wherever one may have been written.
  const others = partitionsOf(head?.parts ?? MOST_PARTS).slice(1);
  const read = [first, ...(await Promise.all(others.map((partition) => readPart(database, partition))))];
  const entries = read.flatMap(({ items }) =>
    items.map((item) => toEntry(item, database.rows.momentOf)).filter(isSound),
  );
  const units = read.reduce((sum, each) => sum + each.units, 0);
  const last = read.findLastIndex(({ items }) => items.length > 0) + 1;
  const parts = head?.parts ?? Math.max(last, database.limits.journalParts);
  return { head, entries: parts > 1 ? entries.sort(byKey) : entries, parts, units };
}

/**
 * The journal, and which of its entries may be claimed: none without all older ones of its user. While the number of parts rises they may lie in
 * different ones, and a reading side by side may have the later alone. So what one reading has found is claimed as the next one finds it.
 */
export async function readClaimable(database: Storage): Promise<Journal & { claimable: JournalEntry[] }> {
  const first = await readJournal(database);
  if (first.parts === 1) return { ...first, claimable: first.entries };
  const journal = await readJournal(database);
  const newest = new Map(newestOf(first.entries).map(({ id, version }) => [id, version]));
  const claimable = journal.entries.filter(({ id, version }) => version <= (newest.get(id) ?? 0));
  return { ...journal, claimable };
}

/** D15. The entries of one user, newest first. Strongly consistent. One read unit for 4 KB, in each part that there may be. */
export async function readEntriesOf(database: Storage, id: number): Promise<JournalEntry[]> {
  const found = partitionsOf(database.limits.journalParts).map((partition) =>
    Array.fromAsync(query(database, { ...allOf(database, partition), sort: 'sk', ...entriesOf(id) }), (item) =>
      toEntry(item, database.rows.momentOf),
    ),
  );
  return (await Promise.all(found)).flat().sort(byKey);
}

/** Missing ones are ignored. */
export const deleteEntries = (database: Storage, entries: readonly JournalEntry[]): Promise<void> =>
  deleteItems(
    database,
    database.tables.directory,
    entries.map(({ pk, sk }) => ({ pk, sk })),
  );

/** The head alone. Undefined at a new stage, and if it was lost. */
export async function readHead(database: Storage): Promise<Head | undefined> {
  const first = await queryFirst(database, allOf(database));
  return isHead(first) ? toHead(first ?? {}) : undefined;
}

/** D11. Why writes should be fewer, and where they go. Half a read unit for 4 KB: a batch makes the head longer. */
export async function readPressure(database: Storage): Promise<ForWriters> {
  const key = { pk: JOURNAL, sk: HEAD_KEY };
  return toForWriters(await get(database, database.tables.directory, key, { isWeak: true }));
}

/** The sum of the hashes of some entries and of what was before them. */
export const tagOf = (tag: number, entries: readonly JournalEntry[]): number =>
  entries.reduce((sum, { sk }) => addModulo(sum, entryHash(sk)), tag);

/** The newest entry of each user. Entries are in the order of the journal. */
export function newestOf(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.filter(({ id }, i) => entries[i - 1]?.id !== id);
}

/** The entries in the batch of a head, and those in no batch yet. */
export function splitBy({ batch }: Head, entries: readonly JournalEntry[]) {
  const claimed = new Set(batch);
  return {
    batch: entries.filter(({ sk }) => claimed.has(sk)),
    fresh: entries.filter(({ sk }) => !claimed.has(sk)),
  };
}
