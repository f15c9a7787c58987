import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { firstItem, queryItems } from '../../dynamodb/query.ts';
import { unavailable } from '../../errors.ts';
import type { Database } from '../database.ts';
import { compareCodePoints } from '../text.ts';
import { decodePage, type Entry } from './packing.ts';
import { trim } from './page.ts';

/** The first bound of a map. It sorts before every key: even the key of an empty value begins with NUL and is longer. */
export const FIRST_BOUND = '\0';

/**
 * A page of a map as stored: its map is the partition key, its lower bound the sort key. It ends where the next page begins,
 * even if it still holds later rows.
 */
export interface PageItem {
  pk: string;
  sk: string;
  /** Where the next page begins: a split writes both in one transaction. Undefined for the last page. */
  end?: string | undefined;
  /** The epoch of the last fold that changed its counts. */
  epoch: number;
  /** Changes with every write of the item. */
  revision: number;
  data: Uint8Array;
}

const toPage = (item: Record<string, unknown>): PageItem => item as unknown as PageItem;

const query = ({ tables }: Database, pk: string, condition: string, values: object): QueryCommandInput => ({
  TableName: tables.directory,
  KeyConditionExpression: `pk = :pk AND ${condition}`,
  ExpressionAttributeValues: { ':pk': pk, ...values },
  ConsistentRead: true,
});

async function queryFloor(
  database: Database,
  pk: string,
  at: string,
  ConsistentRead: boolean,
): Promise<PageItem | undefined> {
  const input = { ...query(database, pk, 'sk <= :at', { ':at': at }), ConsistentRead, ScanIndexForward: false };
  const item = await firstItem(database.dynamo, input);
  return item && toPage(item);
}

/** D3. The page that covers a position. Undefined for a map without pages. */
export const readFloor = (database: Database, pk: string, at: string): Promise<PageItem | undefined> =>
  queryFloor(database, pk, at, true);

/**
 * The same at half the price, for a writer. An old state of the page does no harm, as its write is refused. Where a page is
 * missing, or a newer one must be behind it, the writer asks for the present state.
 */
export async function readFloorToWrite(database: Database, pk: string, at: string): Promise<PageItem | undefined> {
  const page = await queryFloor(database, pk, at, false);
  const isPlausible = page && (page.end === undefined || compareCodePoints(at, page.end) < 0);
  return isPlausible ? page : readFloor(database, pk, at);
}

async function readRange(database: Database, pk: string, from: string, to: string | undefined): Promise<PageItem[]> {
  const range =
    to === undefined
      ? query(database, pk, 'sk >= :from', { ':from': from })
      : query(database, pk, 'sk BETWEEN :from AND :to', { ':from': from, ':to': to });
  const pages: PageItem[] = [];
  for await (const item of queryItems(database.dynamo, range)) pages.push(toPage(item));
  return pages;
}

/** Whether there is no gap: the page after a cut page must be there. */
function areWhole(pages: readonly PageItem[], to: string | undefined): boolean {
  return pages.every(({ end }, i) => {
    if (end === undefined) return true;
    const next = pages[i + 1]?.sk ?? to;
    return next !== undefined && compareCodePoints(next, end) <= (pages[i + 1] ? 0 : -1);
  });
}

const MAX_READINGS = 10;

/** A stretch of a map, both ends included. */
export interface Stretch {
  from: string;
  /** Undefined: to the end of the map. */
  to: string | undefined;
  /** One page probably has all of it: then the others are read after it, and only where it ends before `to`. */
  isShort?: boolean;
}

export const WHOLE_MAP: Stretch = { from: FIRST_BOUND, to: undefined };

const readFirst = (database: Database, pk: string, { from }: Stretch): Promise<PageItem | undefined> =>
  from === FIRST_BOUND ? Promise.resolve(undefined) : readFloor(database, pk, from);

const readOthers = (database: Database, pk: string, { from, to }: Stretch): Promise<PageItem[]> =>
  from === to ? Promise.resolve([]) : readRange(database, pk, from, to);

async function readOnce(database: Database, pk: string, stretch: Stretch): Promise<PageItem[]> {
  const reading = readFirst(database, pk, stretch);
  if (stretch.isShort) {
    const page = await reading;
    if (page && areWhole([page], stretch.to)) return [page];
  }
  const [first, others] = await Promise.all([reading, readOthers(database, pk, stretch)]);
  return [...(first ? [first] : []), ...others.filter(({ sk }) => sk !== first?.sk)];
}

/**
 * D4. The pages in which the positions of a stretch can lie. They are read side by side, and again when a page was cut in
 * the meantime. A map without its first page is missing: it is being written or deleted.
 */
export async function readPages(database: Database, pk: string, stretch: Stretch): Promise<PageItem[]> {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const pages = await readOnce(database, pk, stretch);
    if (stretch.from === FIRST_BOUND && pages[0]?.sk !== FIRST_BOUND) return [];
    if (areWhole(pages, stretch.to)) return pages;
  }
  throw unavailable(`Pages were cut ${MAX_READINGS} times while they were read`);
}

/** The lower bounds of all pages of a map, in order, whether or not something is missing between them. */
export async function readBounds(database: Database, pk: string): Promise<string[]> {
  const input = { ...query(database, pk, 'sk >= :from', { ':from': FIRST_BOUND }), ProjectionExpression: 'sk' };
  const bounds: string[] = [];
  for await (const { sk } of queryItems(database.dynamo, input)) bounds.push(String(sk));
  return bounds;
}

/** The lower bound of the page after one; undefined after the last. */
async function nextBound(database: Database, { pk, sk }: PageItem): Promise<string | undefined> {
  const input = { ...query(database, pk, 'sk > :sk', { ':sk': sk }), ProjectionExpression: 'sk' };
  const next = await firstItem(database.dynamo, input);
  return next && String(next.sk);
}

/** A decoded page, without rows beyond its end. */
export interface OpenPage {
  page: PageItem;
  entries: Entry[];
  end: string | undefined;
}

/** The page in which a position lies, at its present end. */
export async function readFloorEntries(database: Database, pk: string, at: string): Promise<OpenPage | undefined> {
  const page = await readFloor(database, pk, at);
  if (!page) return undefined;
  const end = await nextBound(database, page);
  return { page, entries: trim(decodePage(page.data), end), end };
}

/** The entries of a map from a key to another, that one not included, or to the last. */
export async function readEntries(
  database: Database,
  pk: string,
  from: string,
  to: string | undefined,
): Promise<Entry[]> {
  const pages = await readPages(database, pk, { from, to });
  const isWithin = ({ key }: Entry) =>
    compareCodePoints(key, from) >= 0 && (to === undefined || compareCodePoints(key, to) < 0);
  return pages.flatMap(({ data }, i) => trim(decodePage(data), pages[i + 1]?.sk)).filter(isWithin);
}
