import { GetCommand, PutCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { isRefused } from '../../dynamodb/errors.ts';
import { queryItems } from '../../dynamodb/query.ts';
import { transact } from '../../dynamodb/transact.ts';
import type { Database } from '../database.ts';
import { cut, decodePage, type Entry, encodePage, MAX_PAGE_BYTES, trim } from './page.ts';

/** Sorts before every key: the lower bound of the first page of a map. Control characters cannot occur in keys' heads. */
export const FIRST_BOUND = '\u0001';

/**
 * A page of a map, as stored: its map is the partition, its lower bound the sort key. It ends where the next page
 * begins, also if it still holds more.
 */
export interface PageItem {
  pk: string;
  sk: string;
  /** The fold that was the last to change what it counts. */
  epoch: number;
  /** Changes with every write of the item. */
  revision: number;
  data: Uint8Array;
}

const toPage = (item: Record<string, unknown>): PageItem => item as unknown as PageItem;

const query = (tables: Database['tables'], pk: string, condition: string, values: object): QueryCommandInput => ({
  TableName: tables.directory,
  KeyConditionExpression: `pk = :pk AND ${condition}`,
  ExpressionAttributeValues: { ':pk': pk, ...values },
  ConsistentRead: true,
});

/** D3. The page in which a position lies; undefined for a map without pages. */
export async function readFloor({ dynamo, tables }: Database, pk: string, at: string): Promise<PageItem | undefined> {
  const input = { ...query(tables, pk, 'sk <= :at', { ':at': at }), ScanIndexForward: false, Limit: 1 };
  const { Items = [] } = await dynamo.send(new QueryCommand(input));
  return Items[0] && toPage(Items[0]);
}

/**
 * D4. The pages in which positions from one to another, that one included, or to the last can lie. The first is read before the others:
 * what is cut off from a page is in the next one before.
 */
export async function readPages(
  database: Database,
  pk: string,
  from: string,
  to: string | undefined,
): Promise<PageItem[]> {
  const first = await readFloor(database, pk, from);
  if (!first) return [];
  const range =
    to === undefined
      ? query(database.tables, pk, 'sk >= :from', { ':from': from })
      : query(database.tables, pk, 'sk BETWEEN :from AND :to', { ':from': from, ':to': to });
  const pages = [first];
  for await (const item of queryItems(database.dynamo, range)) if (item.sk !== first.sk) pages.push(toPage(item));
  return pages;
}

/** The lower bound of the page after one; undefined after the last. */
async function nextBound({ dynamo, tables }: Database, { pk, sk }: PageItem): Promise<string | undefined> {
  const input = { ...query(tables, pk, 'sk > :sk', { ':sk': sk }), ProjectionExpression: 'sk', Limit: 1 };
  const { Items = [] } = await dynamo.send(new QueryCommand(input));
  return Items[0] && String(Items[0].sk);
}

const unlessThere = { ConditionExpression: 'attribute_not_exists(pk)' };

const ifRevision = (revision: number) => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});

/**
 * Writes a page if it is still the one that was read, or is still missing.
 *
 * @returns false when another writer came in between, or when this write is repeated after its answer was lost
 */
export async function writePage(
  { dynamo, tables }: Database,
  page: Omit<PageItem, 'revision' | 'data'>,
  entries: readonly Entry[],
  read: PageItem | undefined,
): Promise<boolean> {
  const Item: PageItem = { ...page, revision: (read?.revision ?? 0) + 1, data: encodePage(entries) };
  const condition = read ? ifRevision(read.revision) : unlessThere;
  try {
    await dynamo.send(new PutCommand({ TableName: tables.directory, Item, ...condition }));
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

async function readPage(
  { dynamo, tables }: Database,
  { pk, sk }: Pick<PageItem, 'pk' | 'sk'>,
): Promise<PageItem | undefined> {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: tables.directory, Key: { pk, sk }, ConsistentRead: true }),
  );
  return Item && toPage(Item);
}

/**
 * Splits a page that has grown, at any time. The new pages are written first, with what the page holds above their bounds
 * and with its epoch: readers get the same from them as from it. Then it is cut, now or by whoever splits it next.
 */
export async function split(database: Database, key: Pick<PageItem, 'pk' | 'sk'>): Promise<void> {
  const page = await readPage(database, key);
  if (!page || page.data.length <= MAX_PAGE_BYTES) return;
  const { pk, sk, epoch } = page;
  const [first, ...others] = cut(sk, trim(decodePage(page.data), await nextBound(database, page)));
  if (!first) return;
  const TableName = database.tables.directory;
  const marked = { ...page, revision: page.revision + 1 };
  const outcome =
    others.length === 0 ||
    (await transact(database, [
      { Put: { TableName, Item: marked, ...ifRevision(page.revision) } },
      ...others.map(({ from, entries }) => ({
        Put: { TableName, Item: { pk, sk: from, epoch, revision: 0, data: encodePage(entries) }, ...unlessThere },
      })),
    ]));
  if (outcome === 'refused') return;
  await writePage(database, { pk, sk, epoch }, first.entries, others.length === 0 ? page : marked);
}
