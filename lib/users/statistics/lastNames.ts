import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryItems } from '../../dynamodb/query.ts';
import type { TableNames } from '../../dynamodb/tables.ts';
import { SEPARATOR } from '../keys.ts';
import { fold } from '../text.ts';
import type { UserFields } from '../user.ts';
import { type Cell, toCell } from './cells.ts';
import type { Row } from './rows.ts';

/** A last name, folded, and how many users have it. */
export interface LastName {
  name: string;
  cells: Cell[];
}

/** Old and new name of a user, two count rows and the user itself fit into a transaction of 100 items. */
const MAX_SUFFIXES = 45;

const LONG_PARTITION = 'long';

const SUFFIX_PARTITIONS = 'suffix:';

const suffixPartition = (characters: string): string =>
  `${SUFFIX_PARTITIONS}${String.fromCodePoint(characters.codePointAt(0) ?? 0)}`;

/**
 * The rows that make a last name findable by any piece of it. A piece of a name is the beginning of one of its suffixes,
 * so with one row for each suffix every search is one range read. A name that has too many is kept whole, where every
 * search looks it through.
 */
export function lastNameRows({ lastName }: UserFields): Row[] {
  if (!lastName) return [];
  const name = fold(lastName);
  const characters = [...name];
  if (characters.length > MAX_SUFFIXES) return [{ pk: LONG_PARTITION, sk: name }];
  return characters.map((_, i) => {
    const suffix = characters.slice(i).join('');
    return { pk: suffixPartition(suffix), sk: suffix + SEPARATOR + name };
  });
}

/** The last name, folded, of a row that counts its users; undefined of other rows. */
export function nameOfRow({ pk, sk }: Row): string | undefined {
  if (pk === LONG_PARTITION) return sk;
  return pk.startsWith(SUFFIX_PARTITIONS) ? sk.slice(sk.indexOf(SEPARATOR) + 1) : undefined;
}

/** The attributes of a row that are named as cells count the users in them. */
function toLastName(name: string, row: Record<string, unknown>): LastName {
  const counts = Object.entries(row).filter(([attribute]) => attribute.includes(SEPARATOR));
  return { name, cells: counts.map(([cell, n]) => toCell(cell, Number(n))).filter(({ users }) => users > 0) };
}

/**
 * D3. The last names that contain a keyword, each once and with its exact counts. Reads what lies below the keyword in
 * the suffix rows, and the long names.
 */
export async function findLastNames(
  dynamo: DynamoDBDocumentClient,
  tables: TableNames,
  keyword: string,
): Promise<LastName[]> {
  const folded = fold(keyword);
  const found = new Map<string, LastName>();
  const suffixes = queryItems(dynamo, {
    TableName: tables.directory,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :keyword)',
    ExpressionAttributeValues: { ':pk': suffixPartition(folded), ':keyword': folded },
    ConsistentRead: true,
  });
  for await (const row of suffixes) {
    const name = String(row.sk).split(SEPARATOR)[1] ?? '';
    if (!found.has(name)) found.set(name, toLastName(name, row));
  }
  const longNames = queryItems(dynamo, {
    TableName: tables.directory,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': LONG_PARTITION },
    ConsistentRead: true,
  });
  for await (const row of longNames) {
    const name = String(row.sk);
    if (name.includes(folded)) found.set(name, toLastName(name, row));
  }
  return [...found.values()].filter(({ cells }) => cells.length > 0);
}
