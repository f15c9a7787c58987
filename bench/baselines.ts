/**
 * The two ways in which public samples list users from DynamoDB. The service is compared with them, on the same tables in the
 * same run. Both give the total and one page of 20.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { Database, TableNames } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/listing/listing.ts';
import { totalOrder } from '../lib/users/listing/order.ts';
import type { User } from '../lib/users/user.ts';
import { toUser } from '../lib/users/userItem.ts';
import type { Store } from './data.ts';
import { type Compared, costOf, readUnits } from './figures.ts';
import { PAGE_SIZE, pageAt } from './sample.ts';

/** A page in the order of a field. */
interface Request {
  title: string;
  sortBy: 'name' | 'lastName';
  index: string;
  /** The page: 0 is the first, and 1 the last. */
  depth: number;
  keyword?: string;
}

/** Drawn in the chart. */
const REQUESTS: Request[] = [
  { title: 'First page by name', sortBy: 'name', index: 'byName', depth: 0 },
  { title: 'Page half way by name', sortBy: 'name', index: 'byName', depth: 0.5 },
  { title: 'Keyword "ski" by last name', sortBy: 'lastName', index: 'byLastName', depth: 0, keyword: 'ski' },
];

/** A client without the time limits of the service, and the units that it has read. */
function createReader(endpoint: string) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  let units = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ReturnConsumedCapacity: 'TOTAL', ...args.input } });
      const { ConsumedCapacity } = result.output as QueryCommandOutput;
      units += ConsumedCapacity?.CapacityUnits ?? 0;
      return result;
    },
    { step: 'initialize', name: 'addUnits' },
  );
  return { client, units: () => units };
}

/** Reads the whole table, filters and sorts all users, and cuts out the page. */
async function scanAndSort(client: DynamoDBDocumentClient, tables: TableNames, request: Request): Promise<User[]> {
  const matching: User[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tables.users })) {
    const contains = (user: User) => (user.lastName ?? '').toLowerCase().includes(request.keyword ?? '');
    matching.push(...Items.map(toUser).filter(contains));
  }
  const text = (user: User) => (user[request.sortBy] ?? '\u{10FFFF}').toLowerCase();
  matching.sort((a, b) => (text(a) < text(b) ? -1 : 1));
  const start = PAGE_SIZE * pageAt(request.depth, matching.length);
  return matching.slice(start, start + PAGE_SIZE);
}

/** Case matters in such a filter, which is one reason not to use it. */
const containing = (keyword: string): Partial<QueryCommandInput> => ({
  FilterExpression: 'contains(f.l, :keyword)',
  ExpressionAttributeValues: { ':users': 'user', ':keyword': keyword },
});

/** Counts an index with `Select: COUNT`, then reads it from its beginning to the end of the page. */
async function skipAndCount(client: DynamoDBDocumentClient, tables: TableNames, request: Request): Promise<User[]> {
  const input: QueryCommandInput = {
    TableName: tables.users,
    IndexName: request.index,
    KeyConditionExpression: 'k = :users',
    ExpressionAttributeValues: { ':users': 'user' },
    ...(request.keyword !== undefined && containing(request.keyword)),
  };
  let total = 0;
  for await (const { Count = 0 } of paginateQuery({ client }, { ...input, Select: 'COUNT' })) total += Count;
  const start = PAGE_SIZE * pageAt(request.depth, total);
  const users: User[] = [];
  for await (const { Items = [] } of paginateQuery({ client, pageSize: start + PAGE_SIZE }, input)) {
    users.push(...Items.map(toUser));
    if (users.length >= start + PAGE_SIZE) break;
  }
  return users.slice(start, start + PAGE_SIZE);
}

/** @returns read units */
async function listed(database: Database, request: Request): Promise<number> {
  const order = totalOrder([{ property: request.sortBy, direction: 'asc' }]);
  const query = { filters: {}, keyword: request.keyword, order };
  const listing = createUserListing(database);
  const first = await listing.page({ ...query, number: 0, size: 1 });
  const number = pageAt(request.depth, first.users ? first.total : 0);
  return (await costOf(readUnits, () => listing.page({ ...query, number, size: PAGE_SIZE }))).units;
}

/** Reads the same pages in all three ways, or only in the way of this service. */
export async function compare({ endpoint, database }: Store, isWithOthers: boolean): Promise<Compared[]> {
  const unitsOf = async (read: typeof scanAndSort, request: Request): Promise<number> => {
    const { client, units } = createReader(endpoint);
    await read(client, database.tables, request);
    return units();
  };
  const compared: Compared[] = [];
  for (const request of REQUESTS) {
    compared.push({
      title: request.title,
      units: await listed(database, request),
      ...(isWithOthers && {
        scan: await unitsOf(scanAndSort, request),
        skip: await unitsOf(skipAndCount, request),
      }),
    });
  }
  return compared;
}
