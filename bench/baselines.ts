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
import type { TableNames } from '../lib/users/database.ts';
import type { BaselineQuery } from './catalogue.ts';

const SIZE = 20;

type Item = Record<string, unknown>;

const offsetOf = (page: BaselineQuery['page'], total: number): number => {
  const pages = Math.ceil(total / SIZE);
  return SIZE * { first: 0, half: Math.floor(pages / 2), last: Math.max(pages - 1, 0) }[page];
};

/** Reads the whole table, filters, sorts and cuts the page out. */
export async function scanAndSort(client: DynamoDBDocumentClient, tables: TableNames, query: BaselineQuery) {
  const matching: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tables.users })) {
    for (const item of Items) {
      const passes = Object.entries(query.filters ?? {}).every(([field, value]) => item[field] === value);
      const contains = String(item.lastName ?? '')
        .toLowerCase()
        .includes(query.lastNameContains ?? '');
      if (passes && contains) matching.push(item);
    }
  }
  const text = (item: Item) => String(item[query.sortBy] ?? '\u{10FFFF}').toLowerCase();
  matching.sort((a, b) => (text(a) < text(b) ? -1 : 1));
  const offset = offsetOf(query.page, matching.length);
  return { total: matching.length, users: matching.slice(offset, offset + SIZE) };
}

function filterExpression({ filters = {}, lastNameContains }: BaselineQuery): Partial<QueryCommandInput> {
  const clauses = Object.keys(filters).map((field) => `#${field} = :${field}`);
  const names = Object.fromEntries(Object.keys(filters).map((field) => [`#${field}`, field]));
  const values = Object.fromEntries(Object.entries(filters).map(([field, value]) => [`:${field}`, value]));
  if (lastNameContains !== undefined) {
    clauses.push('contains(lastName, :keyword)');
    values[':keyword'] = lastNameContains;
  }
  return {
    ...(clauses.length > 0 && { FilterExpression: clauses.join(' AND ') }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ExpressionAttributeValues: { ':kind': 'user', ...values },
  };
}

/** Counts an index with `Select: COUNT`, then reads it from the start up to the page. */
export async function skipAndCount(client: DynamoDBDocumentClient, tables: TableNames, query: BaselineQuery) {
  const input = {
    TableName: tables.users,
    IndexName: query.index,
    KeyConditionExpression: 'kind = :kind',
    ScanIndexForward: query.forward,
    ...filterExpression(query),
  };
  let total = 0;
  for await (const { Count = 0 } of paginateQuery({ client }, { ...input, Select: 'COUNT' })) total += Count;
  const offset = offsetOf(query.page, total);
  const users: Item[] = [];
  for await (const { Items = [] } of paginateQuery({ client, pageSize: Math.max(offset + SIZE, SIZE) }, input)) {
    users.push(...Items);
    if (users.length >= offset + SIZE) break;
  }
  return { total, users: users.slice(offset, offset + SIZE) };
}
