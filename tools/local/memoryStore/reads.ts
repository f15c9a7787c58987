import type * as Dynamo from '@aws-sdk/lib-dynamodb';
import { invalid } from './errors.ts';
import { holds, type Item } from './expressions.ts';
import type { Key, Partition, Rows } from './rows.ts';
import type { Table } from './table.ts';
import { readUnits, sizeOf, sizeOfItem } from './units.ts';
import { MAX_SORT_KEY_BYTES } from './writes.ts';

/** Of a page of a query or a scan: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html */
const PAGE_BYTES = 1_024 * 1_024;

/** Of a batch: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const BATCH_BYTES = 16 * 1_024 * 1_024;
const MAX_KEYS = 100;

export interface Reading {
  /** Called between two items. */
  pause: (isWrite: boolean) => Promise<void>;
  /** The most items of a page, which may also end at its bytes. */
  itemsPerPage: number;
  /** Whether a batch leaves the key at this place unread. */
  isLeft: (place: number) => boolean;
}

const consumed = ({ name }: Table, bytes: number, isStrong?: boolean) => ({
  TableName: name,
  CapacityUnits: readUnits(bytes, isStrong),
});

/**
 * The first bound of a key condition in a direction: keys that meet it are neighbours, so none before it is looked at. Undefined where the
 * partition begins.
 */
function boundOf(
  { KeyConditionExpression = '', ExpressionAttributeValues }: Dynamo.QueryCommandInput,
  forward: boolean,
): Key | undefined {
  const [, operator = '', low = '', high = low] =
    / AND \S+ (BETWEEN|[<>=]+) (:\w+)(?: AND (:\w+))?$/.exec(KeyConditionExpression) ?? [];
  return operator.startsWith(forward ? '<' : '>') ? undefined : ExpressionAttributeValues?.[forward ? low : high];
}

type Projection = Pick<Dynamo.QueryCommandInput, 'ProjectionExpression' | 'ExpressionAttributeNames'>;

function projected(item: Item, { ProjectionExpression, ExpressionAttributeNames: names = {} }: Projection): Item {
  const given = ProjectionExpression?.split(', ').map((name) => names[name] ?? name);
  return given === undefined ? { ...item } : Object.fromEntries(given.map((name) => [name, item[name]]));
}

/** @throws ValidationException for what the service does not ask */
function requireKnown(input: Dynamo.QueryCommandInput): void {
  if (input.FilterExpression !== undefined) throw invalid('The store in memory knows no filter expressions');
  // The embedded store takes longer ones.
  if (Object.values(input.ExpressionAttributeValues ?? {}).some((value) => sizeOf(value) > MAX_SORT_KEY_BYTES))
    throw invalid('A value of the key condition is too long');
}

function partitionKeyOf({ KeyConditionExpression = '', ...references }: Dynamo.QueryCommandInput, rows: Rows): Key {
  const [, name = '', value = ''] = /^([#\w]+) = (:\w+)/.exec(KeyConditionExpression) ?? [];
  const partitionKey = name.startsWith('#') ? references.ExpressionAttributeNames?.[name] : name;
  if (partitionKey !== rows.partitionKey || rows.sortKey === undefined)
    throw invalid(`${name} is not the partition key, or there is no sort key`);
  return references.ExpressionAttributeValues?.[value];
}

/** The item after a key that meets the key condition, in the direction of the query. */
function itemAfter(input: Dynamo.QueryCommandInput, partition: Partition, last: Key | undefined): Item | undefined {
  const { ScanIndexForward: forward = true, KeyConditionExpression } = input;
  const isMatch = (key: Key | undefined) =>
    key !== undefined && holds(KeyConditionExpression, partition.get(key) ?? {}, input);
  let key = last === undefined ? partition.from(boundOf(input, forward), forward) : partition.after(last, forward);
  // The bound itself may not be included.
  if (key !== undefined && !isMatch(key)) key = partition.after(key, forward);
  return key !== undefined && isMatch(key) ? partition.get(key) : undefined;
}

/** Reads item by item until a page is full. @param after the item after another one, as it is at that moment */
async function readPage(
  { pause, itemsPerPage }: Reading,
  {
    Limit = Number.POSITIVE_INFINITY,
    ExclusiveStartKey,
  }: Pick<Dynamo.QueryCommandInput, 'Limit' | 'ExclusiveStartKey'>,
  after: (last: Item | undefined) => Item | undefined,
) {
  const items: Item[] = [];
  let [last, bytes]: [Item | undefined, number] = [ExclusiveStartKey, 0];
  const isFull = () => items.length >= Math.min(Limit, itemsPerPage) || bytes >= PAGE_BYTES;
  while (!isFull()) {
    if (items.length > 0) await pause(false);
    const item = after(last);
    if (!item) return { items, bytes };
    items.push(item);
    bytes += sizeOfItem(item);
    last = item;
  }
  return { items, bytes, last };
}

const keyOf = (item: Item, ...places: Rows[]): Item =>
  Object.fromEntries(
    places.flatMap(({ partitionKey, sortKey }) =>
      [partitionKey, sortKey ?? partitionKey].map((name) => [name, item[name]]),
    ),
  );

export async function query(table: Table, input: Dynamo.QueryCommandInput, reading: Reading) {
  requireKnown(input);
  const { IndexName, ConsistentRead } = input;
  const read = (): Rows => {
    const rows = table.read(IndexName, ConsistentRead !== false);
    if (!rows) throw invalid(`No index ${IndexName}`);
    return rows;
  };
  const { sortKey = '' } = read();
  const partition = partitionKeyOf(input, read());
  const { items, bytes, last } = await readPage(reading, input, (item) =>
    itemAfter(input, read().partition(partition), item?.[sortKey] as Key | undefined),
  );
  return {
    Items: items.map((item) => projected(item, input)),
    Count: items.length,
    ...(last && { LastEvaluatedKey: keyOf(last, table.rows, read()) }),
    ConsumedCapacity: consumed(table, bytes, ConsistentRead),
  };
}

/** The first segment has all items. */
export async function scan(table: Table, input: Dynamo.ScanCommandInput, reading: Reading) {
  requireKnown(input);
  const { rows } = table;
  const next = (last?: Item) => (input.Segment ? undefined : rows.next(last));
  const { items, bytes, last } = await readPage(reading, input, next);
  return {
    Items: items.map((item) => projected(item, input)),
    Count: items.length,
    ...(last && rows.next(last) && { LastEvaluatedKey: keyOf(last, rows) }),
    ConsumedCapacity: consumed(table, bytes, input.ConsistentRead),
  };
}

type BatchKeys = NonNullable<Dynamo.BatchGetCommandInput['RequestItems']>[string];

/** Like DynamoDB, refuses a key that is given twice, may leave keys unread, and returns items in no order. */
export async function readKeys(table: Table, { Keys = [], ConsistentRead, ...others }: BatchKeys, reading: Reading) {
  if (Keys.length > MAX_KEYS || new Set(Keys.map((key) => JSON.stringify(key))).size < Keys.length)
    throw invalid('Too many keys, or duplicates');
  const [items, left]: [Item[], Item[]] = [[], []];
  let [bytes, units] = [0, 0];
  for (const [place, key] of Keys.entries()) {
    const item = table.rows.get(key);
    if (reading.isLeft(place) || bytes >= BATCH_BYTES) left.push(key);
    else {
      if (item) items.unshift({ ...item });
      bytes += sizeOfItem(item ?? {});
      units += readUnits(sizeOfItem(item ?? {}), ConsistentRead);
    }
    await reading.pause(false);
  }
  const unread = left.length > 0 ? { Keys: left, ConsistentRead, ...others } : undefined;
  return { items, unread, consumed: { TableName: table.name, CapacityUnits: units } };
}

export function getItem(table: Table, { Key = {}, ConsistentRead }: Dynamo.GetCommandInput) {
  const item = table.rows.get(Key);
  return {
    ...(item && { Item: { ...item } }),
    ConsumedCapacity: consumed(table, sizeOfItem(item ?? {}), ConsistentRead),
  };
}
