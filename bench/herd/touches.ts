/** The parts that a command touches: DynamoDB serves or refuses each by itself. Only the commands of the service are known. */
import type { Item } from '../../lib/dynamodb/index.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import type { Kind, Touch } from './partitions.ts';

export interface Part {
  touches: Touch[];
  /** About what it takes of each, until the store has told it. */
  units: number;
}

/** The members of inputs, in the form of the document client. */
interface Input {
  TableName: string;
  IndexName?: string;
  Key: Item;
  ExpressionAttributeValues?: Item;
  RequestItems: Record<string, Requested[] | { Keys: Item[] }>;
  TransactItems: Record<string, { TableName: string; Key?: Item; Item?: Item }>[];
  Statements: { Statement: string; Parameters: unknown[] }[];
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function bytesOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + bytesOf(member), 0);
}

const writeUnits = (item: Item | undefined): number => Math.ceil(bytesOf(item ?? {}) / 1_024) || 1;

const read = (table: string, key: unknown, index?: string): Part => ({
  touches: [{ table, key, kind: 'read', ...(index && { index }) }],
  units: 1,
});

/** An item of the table of users is in its indexes, too. A delete or an update touches the table alone. */
function write(table: string, item: Item, whole?: Item): Part {
  const own: Touch = { table, key: item.pk ?? item.id, kind: 'write' };
  const indexes = USERS_INDEXES.flatMap(({ name, partitionKey }): Touch[] => {
    const key = whole?.[partitionKey];
    return item.pk === undefined && key !== undefined ? [{ table, index: name, key, kind: 'write' }] : [];
  });
  return { touches: [own, ...indexes], units: writeUnits(whole) };
}

/** All or nothing, at twice the price. */
function transaction({ TransactItems }: Input): Part {
  const parts = TransactItems.flatMap(Object.values).map(({ TableName, Key, Item }) =>
    write(TableName, Key ?? Item ?? {}, Item),
  );
  return { touches: parts.flatMap(({ touches }) => touches), units: 2 * Math.max(...parts.map(({ units }) => units)) };
}

/** An INSERT names its attributes in their order. */
function inserted({ Statement, Parameters }: Input['Statements'][number]): Part {
  const [, table = ''] = Statement.match(/^INSERT INTO "([^"]*)"/) ?? [];
  const names = [...Statement.matchAll(/'(\w+)': \?/g)].map(([, name]) => String(name));
  const item = Object.fromEntries(names.map((name, i) => [name, Parameters[i]]));
  return write(table, item, item);
}

interface Requested {
  DeleteRequest?: { Key: Item };
  PutRequest?: { Item: Item };
}

const requested = (table: string, { DeleteRequest, PutRequest }: Requested): Part =>
  write(table, DeleteRequest?.Key ?? PutRequest?.Item ?? {}, PutRequest?.Item);

/** Each item that is read or written is a part. */
const ofItems = ({ RequestItems }: Input): Part[] =>
  Object.entries(RequestItems).flatMap(([table, requests]) =>
    'Keys' in requests
      ? requests.Keys.map(({ pk, id }) => read(table, pk ?? id))
      : requests.map((request) => requested(table, request)),
  );

/** By the names of commands. */
const PARTS: Record<string, (input: Input) => Part[]> = {
  QueryCommand: ({ TableName, IndexName, ExpressionAttributeValues }) => [
    read(TableName, ExpressionAttributeValues?.[':partition'], IndexName),
  ],
  GetItemCommand: ({ TableName, Key }) => [read(TableName, Key.pk ?? Key.id)],
  UpdateItemCommand: ({ TableName, Key }) => [write(TableName, Key)],
  TransactWriteItemsCommand: (input) => [transaction(input)],
  BatchExecuteStatementCommand: ({ Statements }) => Statements.map(inserted),
  BatchGetItemCommand: ofItems,
  BatchWriteItemCommand: ofItems,
};

export function partsOf(command: string, input: object): Part[] {
  const parts = PARTS[command];
  if (!parts) throw new Error(`What ${command} touches is not known`);
  return parts(input as Input);
}

export const kindOf = (parts: readonly Part[]): Kind => parts[0]?.touches[0]?.kind ?? 'read';
