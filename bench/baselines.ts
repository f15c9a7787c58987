/**
 * What the service is compared with, on the same tables in the same run: the two ways in which public samples list
 * users from DynamoDB. Both give the total and one page of 20.
 */
import {
  type DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { metered } from '../lib/metering.ts';
import type { Database, TableNames } from '../lib/users/database.ts';
import { createUserListing } from '../lib/users/listing/listing.ts';
import { totalOrder } from '../lib/users/listing/order.ts';
import { toUser, type User } from '../lib/users/user.ts';
import type { Measurement } from './figures.ts';

const SIZE = 20;

/** A page in the order of a field. */
interface Request {
  title: string;
  sortBy: 'name' | 'lastName';
  index: string;
  /** From 0 to 1. */
  depth: number;
  keyword?: string;
}

/** Drawn in the chart. */
const REQUESTS: Request[] = [
  { title: 'First page by name', sortBy: 'name', index: 'byName', depth: 0 },
  { title: 'Page half way by name', sortBy: 'name', index: 'byName', depth: 0.5 },
  { title: 'Keyword "ski" by last name', sortBy: 'lastName', index: 'byLastName', depth: 0, keyword: 'ski' },
];

const pageAt = ({ depth }: Request, total: number): number => Math.floor((depth * total) / SIZE);

/** Reads the whole table, filters, sorts and cuts the page out. */
async function scanAndSort(client: DynamoDBDocumentClient, tables: TableNames, request: Request): Promise<User[]> {
  const matching: User[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tables.users })) {
    const contains = (user: User) => (user.lastName ?? '').toLowerCase().includes(request.keyword ?? '');
    matching.push(...Items.map(toUser).filter(contains));
  }
  const text = (user: User) => (user[request.sortBy] ?? '\u{10FFFF}').toLowerCase();
  matching.sort((a, b) => (text(a) < text(b) ? -1 : 1));
  const start = SIZE * pageAt(request, matching.length);
  return matching.slice(start, start + SIZE);
}

/** In such a filter case counts, which is one of the reasons against it. */
const containing = (keyword: string): Partial<QueryCommandInput> => ({
  FilterExpression: 'contains(#fields.#lastName, :keyword)',
  ExpressionAttributeNames: { '#kind': 'kind', '#fields': 'fields', '#lastName': 'lastName' },
  ExpressionAttributeValues: { ':kind': 'user', ':keyword': keyword },
});

/** Counts an index with `Select: COUNT`, then reads it from the start up to the page. */
async function skipAndCount(client: DynamoDBDocumentClient, tables: TableNames, request: Request): Promise<User[]> {
  const input: QueryCommandInput = {
    TableName: tables.users,
    IndexName: request.index,
    KeyConditionExpression: '#kind = :kind',
    ExpressionAttributeNames: { '#kind': 'kind' },
    ExpressionAttributeValues: { ':kind': 'user' },
    ...(request.keyword !== undefined && containing(request.keyword)),
  };
  let total = 0;
  for await (const { Count = 0 } of paginateQuery({ client }, { ...input, Select: 'COUNT' })) total += Count;
  const start = SIZE * pageAt(request, total);
  const users: User[] = [];
  for await (const { Items = [] } of paginateQuery({ client, pageSize: start + SIZE }, input)) {
    users.push(...Items.map(toUser));
    if (users.length >= start + SIZE) break;
  }
  return users.slice(start, start + SIZE);
}

async function listed(database: Database, request: Request): Promise<User[]> {
  const query = {
    filters: {},
    keyword: request.keyword,
    order: totalOrder([{ property: request.sortBy, direction: 'asc' }]),
  };
  const listing = createUserListing(database);
  const first = await metered(() => listing.page({ ...query, number: 0, size: 1 }));
  const total = first.users ? first.total : 0;
  const page = await listing.page({ ...query, number: pageAt(request, total), size: SIZE });
  return page.users ?? [];
}

const unitsOf = (read: () => Promise<User[]>): Promise<number> =>
  metered(async (meter) => {
    await read();
    return meter.readUnits;
  });

/** The same page in three ways. */
export async function compare(database: Database): Promise<Measurement['compared']> {
  const { dynamo, tables } = database;
  const compared: Measurement['compared'] = [];
  for (const request of REQUESTS) {
    compared.push({
      title: request.title,
      units: await unitsOf(() => listed(database, request)),
      scan: await unitsOf(() => scanAndSort(dynamo, tables, request)),
      skip: await unitsOf(() => skipAndCount(dynamo, tables, request)),
    });
  }
  return compared;
}
