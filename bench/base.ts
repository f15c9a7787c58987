import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { queryItems, rangeQuery } from '../lib/dynamodb/query.ts';
import type { Item } from '../lib/dynamodb/scan.ts';
import type { Database } from '../lib/users/database.ts';
import { DELTAS } from '../lib/users/fold/deltas.ts';
import { USERS_INDEXES } from '../lib/users/indexes.ts';
import { JOURNAL } from '../lib/users/journal/entry.ts';
import { readHead } from '../lib/users/journal/items.ts';
import { BASE_PARTITIONS } from '../lib/users/limits.ts';
import { basePartition } from '../lib/users/storedBase.ts';
import { type Figures, one } from './figures.ts';
import { times } from './sample.ts';

const SAMPLE = 1_000;
/** What DynamoDB stores beside each item, in the table and in each index. */
const OVERHEAD = 100;

/** The bytes of a value: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).replace('.', '').length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + bytesOf(each), 3);
  if (typeof value === 'object' && value !== null) return itemBytes(value) + 3 + Object.keys(value).length;
  return 1;
}

const itemBytes = (item: object): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);

const sumOf = (items: readonly Item[], bytes: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + bytes(item), 0);

const readPartition = ({ dynamo, tables }: Database, name: string): Promise<Item[]> =>
  Array.fromAsync(queryItems(dynamo, rangeQuery({ table: tables.directory, partition: ['pk', name] })));

/** The bytes of a user in the table and in the indexes that have it. */
async function bytesOfUser({ dynamo, tables }: Database): Promise<number> {
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: tables.users, Limit: SAMPLE }));
  const copies = (item: Item) =>
    1 + USERS_INDEXES.filter(({ partitionKey }) => item[partitionKey] !== undefined).length;
  return sumOf(Items, (item) => copies(item) * (itemBytes(item) + OVERHEAD)) / Items.length;
}

/** What is stored of all users, and of those who have changed since the base. */
export async function measureStored(database: Database): Promise<Figures> {
  const { base, changed = 0 } = (await readHead(database)) ?? {};
  const parts = (await Promise.all(times(BASE_PARTITIONS, (i) => readPartition(database, basePartition(i))))).flat();
  const [head = {}] = await readPartition(database, JOURNAL);
  const bytes = sumOf(parts, ({ data }) => (data as Uint8Array).length);
  return {
    'bytes of a user in the base': one(bytes / (base?.users ?? 0)),
    'kilobytes of the base': one(bytes / 1_000),
    'parts of the base': one(parts.length),
    'megabytes of its columns': one((base?.unpacked ?? 0) / 1e6),
    'bytes of the head': one(itemBytes(head)),
    'bytes of a changed user in a delta': one(sumOf(await readPartition(database, DELTAS), itemBytes) / changed),
    'bytes of a user in the table and its indexes': one(await bytesOfUser(database)),
  };
}
