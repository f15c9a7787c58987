/** Records what a fold writes to the directory, except the journal, and measures how long the store takes for the same without a fold. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { putItems } from '../../lib/dynamodb/batchWrite.ts';
import { inParallel } from '../../lib/parallel.ts';
import { JOURNAL } from '../../lib/users/journal/entry.ts';
import type { Store } from '../data.ts';

export interface NodeWrite {
  /** The key of the item. */
  key: string;
  bytes: number;
}

/** Writes in the order in which they began. */
export interface Recorded {
  writes: NodeWrite[];
  /** How many writes were under way at the same time, at most. */
  parallel: number;
}

/** As many statements as a batch may have. */
const BATCH = 25;
const WARM_UP_BATCHES = 8;
const PARTITION = 'bench';
/** The keys and numbers of a stand-in have about so many bytes. */
const FIXED_BYTES = 20;

type Input = Record<string, unknown>;

const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null;

/** About as many bytes as DynamoDB counts. */
function bytesOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + bytesOf(each), 0);
  if (!isInput(value)) return 4;
  return Object.entries(value).reduce((sum, [name, each]) => sum + name.length + bytesOf(each), 0);
}

const listOf = (value: unknown): Input[] => (Array.isArray(value) ? value.filter(isInput) : []);

const ofItem = ({ pk, sk, ...rest }: Input, more?: unknown): NodeWrite => ({
  key: `${pk}\0${sk}`,
  bytes: bytesOf({ pk, sk, ...rest }) + bytesOf(more ?? ''),
});

function ofStatement({ Statement, Parameters }: Input, table: string): NodeWrite[] {
  if (!new RegExp(`^\\s*(UPDATE|INSERT INTO)\\s+"?${table}"?\\s`, 'i').test(String(Statement))) return [];
  const texts = (Array.isArray(Parameters) ? Parameters : []).filter((each) => typeof each === 'string');
  return texts.includes(JOURNAL) ? [] : [{ key: texts.join('\0'), bytes: bytesOf(Parameters) }];
}

/** The items of a table that a command puts or updates, without the journal. */
export function nodeWritesOf(input: Input, table: string): NodeWrite[] {
  const { TableName, Item, Key, RequestItems } = input;
  const own = TableName === table && isInput(Item) ? [ofItem(Item)] : [];
  const isUpdate = TableName === table && isInput(Key) && input.UpdateExpression !== undefined;
  const updated = isUpdate ? [ofItem(Key, input.ExpressionAttributeValues)] : [];
  const requests = isInput(RequestItems) ? listOf(RequestItems[table]) : [];
  const puts = requests.flatMap(({ PutRequest }) =>
    isInput(PutRequest) && isInput(PutRequest.Item) ? [ofItem(PutRequest.Item)] : [],
  );
  const inTransaction = listOf(input.TransactItems)
    .flatMap((each) => [each.Put, each.Update].filter(isInput))
    .flatMap((each) => nodeWritesOf(each, table));
  const statements = [input, ...listOf(input.Statements), ...listOf(input.TransactStatements)];
  return [
    ...own,
    ...updated,
    ...puts,
    ...inTransaction,
    ...statements.flatMap((each) => ofStatement(each, table)),
  ].filter(({ key }) => !key.startsWith(`${JOURNAL}\0`));
}

/** Records what a client writes, until it is told to stop. */
export function recordWrites({ database: { dynamo, tables } }: Store): { recorded: Recorded; stop: () => void } {
  const recorded: Recorded = { writes: [], parallel: 0 };
  const name = 'recordWrites';
  let running = 0;
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const writes = nodeWritesOf(args.input as Input, tables.directory);
      if (writes.length === 0) return next(args);
      recorded.writes.push(...writes);
      running += writes.length;
      recorded.parallel = Math.max(recorded.parallel, running);
      try {
        return await next(args);
      } finally {
        running -= writes.length;
      }
    },
    { step: 'initialize', name },
  );
  return {
    recorded,
    stop: () => {
      dynamo.middlewareStack.remove(name);
    },
  };
}

/** As many items as were written. Not fewer than two batches have, because a batch may name an item only once. */
const standIns = ({ writes }: Recorded): number => Math.max(2 * BATCH, new Set(writes.map(({ key }) => key)).size);

const standIn = (place: number, bytes: number) => ({
  pk: PARTITION,
  sk: String(place).padStart(7, '0'),
  n: { r: 1, d: Buffer.alloc(Math.max(1, bytes - FIXED_BYTES), place) },
});

/** Sets one attribute: stores differ in how they set several. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.update.html */
const update = (table: string, { pk, sk, n }: ReturnType<typeof standIn>) => ({
  Statement: `UPDATE "${table}" SET n = ? WHERE pk = ? AND sk = ? AND n.r = ?`,
  Parameters: [n, pk, sk, n.r],
});

/**
 * Writes the same number of bytes to as many stand-ins, by conditional updates in batches. As many are under way at the same time,
 * and the client does nothing else.
 *
 * @returns milliseconds
 */
export async function replay({ endpoint, database }: Store, recorded: Recorded): Promise<number> {
  const table = database.tables.directory;
  const count = standIns(recorded);
  const items = Array.from({ length: count }, (_, place) => standIn(place, recorded.writes[place]?.bytes ?? 0));
  await putItems(database, table, items);
  const statements = recorded.writes.map(({ bytes }, i) => update(table, standIn(i % count, bytes)));
  const batches = Array.from({ length: Math.ceil(statements.length / BATCH) }, (_, i) =>
    statements.slice(i * BATCH, (i + 1) * BATCH),
  );
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  const write = async (Statements: typeof statements) => {
    const { Responses = [] } = await client.send(new BatchExecuteStatementCommand({ Statements }));
    const error = Responses.find(({ Error: failed }) => failed)?.Error;
    if (error) throw new Error(`The store refused a stand-in: ${error.Code} ${error.Message}`);
  };
  const parallel = Math.ceil(recorded.parallel / BATCH);
  await inParallel(batches.slice(0, WARM_UP_BATCHES), parallel, write);
  const started = performance.now();
  await inParallel(batches, parallel, write);
  const milliseconds = performance.now() - started;
  client.destroy();
  return milliseconds;
}
