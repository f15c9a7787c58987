import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { isConditionFailed } from '../../dynamodb/errors.ts';
import { transact } from '../../dynamodb/transact.ts';
import type { Database } from '../database.ts';
import { type Entry, encodePage } from './packing.ts';
import { cut } from './page.ts';
import { FIRST_BOUND, type PageItem, readFloorEntries } from './pages.ts';

/**
 * A page that is made anew after it was deleted must not look like the one that a frozen fold, or its memory, still knows:
 * revisions begin anywhere.
 */
export const firstRevision = ({ runtime }: Pick<Database, 'runtime'>): number => Math.floor(runtime.random() * 2 ** 40);

const unlessThere = { ConditionExpression: 'attribute_not_exists(pk)' };

const ifRevision = (revision: number) => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});

/** The write of a page that must not exist yet. */
export const newPagePut = ({ tables }: Database, Item: PageItem) => ({
  TableName: tables.directory,
  Item,
  ...unlessThere,
});

/** The write of a page, if it is still the one that was read, or is still missing. */
export function pagePut(
  database: Database,
  page: Omit<PageItem, 'revision' | 'data'>,
  entries: readonly Entry[],
  read: PageItem | undefined,
) {
  const revision = read ? read.revision + 1 : firstRevision(database);
  const Item: PageItem = { ...page, revision, data: encodePage(entries) };
  return { TableName: database.tables.directory, Item, ...(read ? ifRevision(read.revision) : unlessThere) };
}

/**
 * Writes a page if it is still the one that was read, or is still missing.
 *
 * @returns the page as written; undefined when another writer was faster, or when the SDK repeats the write because its
 *   response was lost
 */
export async function writePage(
  database: Database,
  page: Omit<PageItem, 'revision' | 'data'>,
  entries: readonly Entry[],
  read: PageItem | undefined,
): Promise<PageItem | undefined> {
  const put = pagePut(database, page, entries, read);
  try {
    await database.dynamo.send(new PutCommand(put));
    return put.Item;
  } catch (error) {
    if (isConditionFailed(error)) return undefined;
    throw error;
  }
}

/** The pages that a page is cut into. The first keeps its bound, the last its end. */
export function piecesOf(
  { sizes }: Database,
  { pk, sk, epoch, end }: Omit<PageItem, 'revision' | 'data'>,
  entries: readonly Entry[],
  halvings = Number.POSITIVE_INFINITY,
) {
  const pieces = cut(sk, entries, sizes.pageBytes, halvings);
  return pieces.map(({ from, entries: part }, i) => ({
    item: { pk, sk: from, epoch, end: pieces[i + 1]?.from ?? end },
    entries: part,
  }));
}

/** The pages of a new map. */
export const newPages = (
  database: Database,
  pk: string,
  epoch: number,
  entries: readonly Entry[],
  halvings?: number,
): PageItem[] =>
  piecesOf(database, { pk, sk: FIRST_BOUND, epoch }, entries, halvings).map(({ item, entries: part }) => ({
    ...item,
    revision: firstRevision(database),
    data: encodePage(part),
  }));

/** The pages that come out of one split are written in one transaction, which has at most 100 items. */
const MAX_HALVINGS = 6;

/**
 * Splits a page that has grown, at any time. The new pages are written first, with what the page holds above their bounds
 * and with its epoch: readers get the same from them as from it. Then it is cut, now or by whoever splits it next.
 */
export async function split(database: Database, { pk, sk }: Pick<PageItem, 'pk' | 'sk'>): Promise<void> {
  const open = await readFloorEntries(database, pk, sk);
  if (!open || open.page.data.length <= database.sizes.pageBytes) return;
  const { page, entries, end } = open;
  const [first, ...others] = piecesOf(database, { pk, sk, epoch: page.epoch, end }, entries, MAX_HALVINGS);
  if (!first) return;
  if (others.length === 0) {
    if (end !== page.end) await writePage(database, first.item, first.entries, page);
    return;
  }
  const TableName = database.tables.directory;
  // The end tells readers at once that another page follows. Rows above the end no longer count.
  const marked = { ...page, end: first.item.end, revision: page.revision + 1 };
  const outcome = await transact(database, [
    { Put: { TableName, Item: marked, ...ifRevision(page.revision) } },
    ...others.map(({ item, entries: part }) => ({ Put: pagePut(database, item, part, undefined) })),
  ]);
  if (outcome === 'committed') await writePage(database, first.item, first.entries, marked);
}
