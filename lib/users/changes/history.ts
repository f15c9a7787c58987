import { putItems } from '../../dynamodb/batches.ts';
import { queryItems, rangeQuery } from '../../dynamodb/query.ts';
import type { Database } from '../database.ts';
import { MAX_VERSION, restoreChange, type WrittenChange } from '../journal/entry.ts';
import { readEntriesOf } from '../journal/items.ts';
import { erasedItem, expiryOf, historyOf, isExpired, isKept, versionKey } from './items.ts';

export interface HistoryQuery {
  id: number;
  /** Only changes of lower versions. Absent: from the newest. */
  before: number | undefined;
  size: number;
}

export interface HistoryPage {
  changes: WrittenChange[];
  /** The `before` of the next page. Absent if there is none. */
  next?: number;
}

type Item = Record<string, unknown>;

/** D14. The items of a user's history, the newest first. Strongly consistent. */
export async function* readItemsOf({ dynamo, tables }: Database, id: number, below: number, expected?: number) {
  const range = { table: tables.directory, partition: ['pk', historyOf(id)] as const, sort: 'sk' };
  const input = { ...rangeQuery({ ...range, to: versionKey(below - 1) }), ConsistentRead: true };
  for await (const item of queryItems(dynamo, { ...input, ScanIndexForward: false }, expected)) {
    yield [Number(item.sk), item] as [version: number, item: Item];
  }
}

/**
 * What happened to a user, the newest first, current at once: what the fold has not kept yet is in the journal. One read unit for
 * the journal, one for each 4 KB of the history.
 */
export async function readHistory(database: Database, query: HistoryQuery): Promise<HistoryPage> {
  const { id, size, before: below = MAX_VERSION } = query;
  // The journal first: an entry that has left it by then is in the history.
  const entries = await readEntriesOf(database, id);
  const changes = new Map<number, WrittenChange>(
    entries.filter(({ version }) => version < below).map((entry) => [entry.version, entry]),
  );
  const now = database.runtime.now();
  let items = 0;
  let last: number | undefined;
  for await (const [version, item] of readItemsOf(database, id, below, size)) {
    if (isKept(item) && !isExpired(now, item)) changes.set(version, restoreChange({ id, version }, item));
    else changes.delete(version);
    if (++items < size) continue;
    last = version;
    break;
  }
  // Below the last item, nothing says yet whether an entry was erased.
  const all = [...changes.values()]
    .filter(({ version }) => last === undefined || version >= last)
    .sort((a, b) => b.version - a.version);
  const next = all.length > size ? all[size - 1]?.version : last;
  return { changes: all.slice(0, size), ...(next !== undefined && { next }) };
}

/**
 * Erases what is kept of a user's changes. Entries in the journal are erased for readers at once, and leave it without being kept.
 * One write unit for each change that is not folded yet; once it is folded, one for each begun kilobyte of it. None for what was erased
 * before.
 *
 * @param historyDays for how long changes are kept
 */
export async function eraseHistory(database: Database, historyDays: number, id: number): Promise<void> {
  // A day longer than the place in the feed that an entry still gets.
  const ttl = expiryOf(database.runtime.now(), historyDays + 1);
  const entries = await readEntriesOf(database, id);
  const items = new Map(entries.map(({ version }) => [version, erasedItem({ id, version }, ttl)]));
  for await (const [version, item] of readItemsOf(database, id, MAX_VERSION)) {
    // What is erased already is not written again: a call that runs out of time is repeated, and goes on.
    if (isKept(item)) items.set(version, erasedItem({ id, version }, Number(item.ttl)));
    else items.delete(version);
  }
  await putItems(database, database.tables.directory, [...items.values()]);
}
