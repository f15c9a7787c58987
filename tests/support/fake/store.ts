import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type * as Dynamo from '@aws-sdk/lib-dynamodb';
import type { TableNames } from '../../../lib/users/database.ts';
import { USERS_INDEXES } from '../../../lib/users/indexes.ts';
import { holds, type Item, updated } from '../../../tools/local/memoryStore/expressions.ts';
import { type Partition, Rows } from '../../../tools/local/memoryStore/rows.ts';
import { parseStatement, type Statement } from '../../../tools/local/memoryStore/statements.ts';
import { type Lag, LateRows } from './late.ts';

export const TABLES: TableNames = { users: 'users', directory: 'directory' };

export interface Call {
  command: string;
  input: unknown;
}

/** The line between a process and the store. It may wait, repeat, or never respond. */
export interface Line {
  around(call: Call, execute: () => Promise<unknown>): Promise<unknown>;
  /** Called between two items of a query or of a batch write, and between two statements of a batch. */
  pause(isWrite: boolean): Promise<void>;
}

/** Nothing happens on it. */
export const DIRECT: Line = { around: (_, execute) => execute(), pause: async () => {} };

export interface FakeOptions {
  now: () => number;
  lag?: Lag;
  /** DynamoDB cuts a page of a query at a megabyte. This store cuts it after so many items. */
  itemsPerPage?: number;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
const MAX_ITEM_BYTES = 400 * 1_024;
const MAX_TRANSACTION_BYTES = 4 * 1_024 * 1_024;
const MAX_TRANSACTION_ITEMS = 100;
const MAX_SORT_KEY_BYTES = 1_024;
const MAX_STATEMENTS = 25;
const MAX_KEYS = 100;

const invalid = (message: string) => Object.assign(new Error(message), { name: 'ValidationException' });

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.entries(value).reduce((sum, [name, member]) => sum + name.length + sizeOf(member), 0);
}

/** The primary key of an item, as text. */
const placeOf = ({ id, pk, sk }: Item): string => JSON.stringify([id, pk, sk]);

const METADATA = { $metadata: {} };

const refused = () => new ConditionalCheckFailedException({ message: 'The conditional request failed', ...METADATA });

type Write = NonNullable<Dynamo.TransactWriteCommandInput['TransactItems']>[number];

/** A change of one item, and whether its condition holds. */
interface Change {
  table: string;
  isAllowed: boolean;
  before: Item | undefined;
  after: Item | undefined;
}

/** Refuses a weak read of a table that does not ask for it: most of the service needs the present state. */
function requireStrength({
  IndexName,
  ConsistentRead,
}: Pick<Dynamo.QueryCommandInput, 'IndexName' | 'ConsistentRead'>) {
  if (IndexName === undefined && ConsistentRead === undefined) throw invalid('A table is read as it was some time ago');
}

/**
 * The first bound of a key condition in a direction: keys that meet it are neighbours, so none before it is looked at. Undefined where the
 * partition begins.
 */
function boundOf(
  { KeyConditionExpression = '', ExpressionAttributeValues }: Dynamo.QueryCommandInput,
  forward: boolean,
) {
  const [, operator = '', low = '', high = low] =
    / AND \S+ (BETWEEN|[<>=]+) (:\w+)(?: AND (:\w+))?$/.exec(KeyConditionExpression) ?? [];
  return operator.startsWith(forward ? '<' : '>') ? undefined : ExpressionAttributeValues?.[forward ? low : high];
}

const projected = (item: Item, expression?: string): Item =>
  expression === undefined ? { ...item } : Object.fromEntries(expression.split(', ').map((name) => [name, item[name]]));

/** About what DynamoDB would count, so that plans see what large reads cost. */
const consumed = (items: readonly Item[], ConsistentRead = false) => ({
  CapacityUnits: Math.max(1, Math.ceil(sizeOf(items) / 4_096)) / (ConsistentRead ? 1 : 2),
});

/**
 * DynamoDB in memory: strong and weak reads of tables, late indexes, queries that read item by item, conditions, transactions
 * with tokens, batches of conditional statements, and the quotas that the service could reach.
 */
export class FakeStore {
  readonly tables: Record<string, Rows> = { users: new Rows('id', undefined), directory: new Rows('pk', 'sk') };
  private readonly indexes: ReadonlyMap<string, LateRows>;
  /** The directory as weak reads see it. */
  private readonly replica: LateRows;
  /** The number of writes of users. */
  commits = 0;
  /** Called after each change. */
  onChange: () => void = () => {};
  private readonly tokens = new Set<string>();
  private readonly itemsPerPage: number;

  constructor({ now, lag = () => 0, itemsPerPage = Number.POSITIVE_INFINITY }: FakeOptions) {
    this.indexes = new Map(
      USERS_INDEXES.map(({ name, partitionKey }) => [
        name,
        new LateRows({ name, partitionKey, sortKey: 'id', now, lag }),
      ]),
    );
    this.replica = new LateRows({ name: 'directory', partitionKey: 'pk', sortKey: 'sk', now, lag });
    this.itemsPerPage = itemsPerPage;
  }

  private rows(table: string | undefined): Rows {
    const rows = this.tables[table ?? ''];
    if (!rows) throw invalid(`No table ${table}`);
    return rows;
  }

  private changeOf({ Put, Delete, Update, ConditionCheck }: Write): Change {
    const request = Put ?? Delete ?? Update ?? ConditionCheck;
    const table = request?.TableName ?? '';
    const key = (Put ? Put.Item : (Delete ?? Update ?? ConditionCheck)?.Key) ?? {};
    const before = this.rows(table).get(key);
    const isAllowed = holds(request?.ConditionExpression, before ?? {}, request ?? {});
    const given = Put?.Item && Object.fromEntries(Object.entries(Put.Item).filter(([, value]) => value !== undefined));
    const after = Update
      ? updated(Update.UpdateExpression ?? '', before ?? { ...key }, Update)
      : (given ?? (Delete ? undefined : before));
    if (after && sizeOf(after) > MAX_ITEM_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
    if (after && sizeOf(after.sk ?? '') > MAX_SORT_KEY_BYTES) throw invalid('Sort key is too long');
    return { table, isAllowed, before, after };
  }

  private apply({ table, before, after }: Change): void {
    const rows = this.rows(table);
    if (after) rows.put(after);
    else if (before) rows.delete(before);
    this.follow(table, before, after);
  }

  private follow(table: string, before: Item | undefined, after: Item | undefined): void {
    if (table !== TABLES.users) this.replica.follow(before, after);
    else for (const index of this.indexes.values()) index.follow(before, after);
  }

  private write(write: Write): Record<string, unknown> {
    const change = this.changeOf(write);
    if (!change.isAllowed) throw refused();
    this.apply(change);
    this.onChange();
    return { ConsumedCapacity: { CapacityUnits: 1 } };
  }

  private transact({ TransactItems = [], ClientRequestToken: token }: Dynamo.TransactWriteCommandInput) {
    if (token !== undefined && this.tokens.has(token)) return { ConsumedCapacity: [] };
    if (TransactItems.length > MAX_TRANSACTION_ITEMS) throw invalid('Too many items in a transaction');
    if (sizeOf(TransactItems) > MAX_TRANSACTION_BYTES) throw invalid('Transaction is too large');
    const changes = TransactItems.map((item) => this.changeOf(item));
    if (changes.some(({ isAllowed }) => !isAllowed)) {
      const CancellationReasons = changes.map(({ isAllowed }) => ({
        Code: isAllowed ? 'None' : 'ConditionalCheckFailed',
      }));
      throw new TransactionCanceledException({ message: 'Transaction cancelled', CancellationReasons, ...METADATA });
    }
    for (const change of changes) this.apply(change);
    if (token !== undefined) this.tokens.add(token);
    if (changes.some(({ table }) => table === TABLES.users)) this.commits++;
    this.onChange();
    return { ConsumedCapacity: [] };
  }

  private partitionOf(input: Dynamo.QueryCommandInput): {
    partition: Partition;
    sortKey: string;
    partitionKey: string;
  } {
    const isWeak = input.TableName === TABLES.directory && input.ConsistentRead === false;
    const table = isWeak ? this.replica.rows : this.rows(input.TableName);
    const rows = input.IndexName === undefined ? table : this.indexes.get(input.IndexName)?.rows;
    if (!rows) throw invalid(`No index ${input.IndexName}`);
    const [, name = '', value = ''] = /^([#\w]+) = (:\w+)/.exec(input.KeyConditionExpression ?? '') ?? [];
    const partitionKey = name.startsWith('#') ? input.ExpressionAttributeNames?.[name] : name;
    if (partitionKey !== rows.partitionKey) throw invalid(`${name} is not the partition key`);
    const partition = rows.partition(input.ExpressionAttributeValues?.[value]);
    return { partition, sortKey: rows.sortKey ?? '', partitionKey };
  }

  private arrive(): void {
    for (const late of [...this.indexes.values(), this.replica]) late.arrive();
  }

  private async query(input: Dynamo.QueryCommandInput, { pause }: Line) {
    requireStrength(input);
    // The embedded store takes longer ones.
    if (Object.values(input.ExpressionAttributeValues ?? {}).some((value) => sizeOf(value) > MAX_SORT_KEY_BYTES))
      throw invalid('A value of the key condition is too long');
    const { Limit = Number.POSITIVE_INFINITY, ScanIndexForward = true, ExclusiveStartKey } = input;
    const Items: Item[] = [];
    const more: { LastEvaluatedKey?: Item } = {};
    this.arrive();
    const { partition, sortKey, partitionKey } = this.partitionOf(input);
    const isMatch = (key: string | number | undefined) =>
      key !== undefined && holds(input.KeyConditionExpression, partition.get(key) ?? {}, input);
    let last = ExclusiveStartKey?.[sortKey];
    for (;;) {
      if (Items.length > 0) await pause(false);
      this.arrive();
      let key =
        last === undefined
          ? partition.from(boundOf(input, ScanIndexForward), ScanIndexForward)
          : partition.after(last, ScanIndexForward);
      // The bound itself may not be included.
      if (key !== undefined && !isMatch(key)) key = partition.after(key, ScanIndexForward);
      const item = key === undefined || !isMatch(key) ? undefined : partition.get(key);
      if (key === undefined || !item) break;
      Items.push(projected(item, input.ProjectionExpression));
      last = key;
      if (Items.length >= Math.min(Limit, this.itemsPerPage)) {
        more.LastEvaluatedKey = { [partitionKey]: item[partitionKey], [sortKey]: key, id: item.id };
        break;
      }
    }
    return { Items, Count: Items.length, ...more, ConsumedCapacity: consumed(Items, input.ConsistentRead) };
  }

  /** Reads item by item, each as it is at that moment, in an order that keys keep. The first segment has all items. */
  private async scan({ TableName, Segment = 0, ExclusiveStartKey: from }: Dynamo.ScanCommandInput, { pause }: Line) {
    const rows = this.rows(TableName);
    const Items: Item[] = [];
    const keys = (Segment === 0 ? rows.values() : []).map((item) => ({ place: placeOf(item), item }));
    const left = keys
      .filter(({ place }) => !from || place > placeOf(from))
      .sort((a, b) => (a.place < b.place ? -1 : 1));
    const page = left.slice(0, this.itemsPerPage);
    for (const { item: key } of page) {
      const item = rows.get(key);
      if (item) Items.push({ ...item });
      await pause(false);
    }
    const last = page.length < left.length && page.at(-1)?.item;
    return { Items, Count: Items.length, ...(last && { LastEvaluatedKey: last }), ConsumedCapacity: consumed(Items) };
  }

  /** Like DynamoDB, refuses a key that is given twice, leaves some keys unread (here every seventh), and returns items in no order. */
  private async readBatch({ RequestItems = {} }: Dynamo.BatchGetCommandInput, { pause }: Line) {
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: NonNullable<Dynamo.BatchGetCommandInput['RequestItems']> = {};
    for (const [TableName, { Keys = [], ...options }] of Object.entries(RequestItems)) {
      requireStrength(options);
      if (Keys.length > MAX_KEYS || new Set(Keys.map((key) => JSON.stringify(key))).size < Keys.length)
        throw invalid('Too many keys, or duplicates');
      const left = Keys.filter((_, i) => i % 7 === 6);
      if (left.length > 0) UnprocessedKeys[TableName] = { ...options, Keys: left };
      const items: Item[] = [];
      for (const key of Keys.filter((_, i) => i % 7 < 6).toReversed()) {
        const item = this.rows(TableName).get(key);
        if (item) items.push({ ...item });
        await pause(false);
      }
      Responses[TableName] = items;
    }
    const CapacityUnits = Object.values(Responses).flat().length;
    return { Responses, UnprocessedKeys, ConsumedCapacity: [{ CapacityUnits }] };
  }

  private async writeBatch({ RequestItems = {} }: Dynamo.BatchWriteCommandInput, { pause }: Line) {
    for (const [TableName, requests] of Object.entries(RequestItems)) {
      for (const { PutRequest, DeleteRequest } of requests) {
        if (PutRequest) this.write({ Put: { TableName, Item: PutRequest.Item } });
        else this.write({ Delete: { TableName, Key: DeleteRequest?.Key } });
        await pause(true);
      }
    }
    return { UnprocessedItems: {}, ConsumedCapacity: [] };
  }

  /** @throws when the store does not know a statement, or two statements write the same item */
  private parse(statements: readonly Statement[]): Write[] {
    if (statements.length < 1 || statements.length > MAX_STATEMENTS) throw invalid('Not 1 to 25 statements');
    try {
      const parsed = statements.map(parseStatement);
      const places = parsed.map(({ Put }) => placeOf(Put?.Item ?? {}));
      if (new Set(places).size < places.length) throw new Error('Provided list of item keys contains duplicates');
      return parsed;
    } catch (error) {
      throw invalid((error as Error).message);
    }
  }

  private executeStatement(write: Write): { Error?: { Code: string; Message: string } } {
    try {
      this.write(write);
      return {};
    } catch (error) {
      const { name, message: Message } = error as Error;
      if (error instanceof ConditionalCheckFailedException) return { Error: { Code: 'DuplicateItem', Message } };
      if (name === 'ValidationException') return { Error: { Code: 'ValidationError', Message } };
      throw error;
    }
  }

  private async executeBatch({ Statements = [] }: Dynamo.BatchExecuteStatementCommandInput, { pause }: Line) {
    const Responses: { Error?: { Code: string; Message: string } }[] = [];
    for (const statement of this.parse(Statements)) {
      Responses.push(this.executeStatement(statement));
      await pause(true);
    }
    const CapacityUnits = Responses.filter((response) => !response.Error).length;
    return { Responses, ConsumedCapacity: [{ CapacityUnits }] };
  }

  private get({ TableName, Key = {}, ...options }: Dynamo.GetCommandInput) {
    requireStrength(options);
    const Item = this.rows(TableName).get(Key);
    return { ...(Item && { Item: { ...Item } }), ConsumedCapacity: consumed([Item ?? {}]) };
  }

  /** Executes a call. The line is used only for its pauses. */
  async execute({ command, input }: Call, line: Line = DIRECT): Promise<unknown> {
    const run: Record<string, (given: never) => unknown> = {
      BatchExecuteStatementCommand: (given: Dynamo.BatchExecuteStatementCommandInput) => this.executeBatch(given, line),
      BatchGetCommand: (given: Dynamo.BatchGetCommandInput) => this.readBatch(given, line),
      BatchWriteCommand: (given: Dynamo.BatchWriteCommandInput) => this.writeBatch(given, line),
      DeleteCommand: (given: Dynamo.DeleteCommandInput) => this.write({ Delete: given }),
      GetCommand: (given: Dynamo.GetCommandInput) => this.get(given),
      PutCommand: (given: Dynamo.PutCommandInput) => this.write({ Put: given }),
      QueryCommand: (given: Dynamo.QueryCommandInput) => this.query(given, line),
      ScanCommand: (given: Dynamo.ScanCommandInput) => this.scan(given, line),
      TransactWriteCommand: (given: Dynamo.TransactWriteCommandInput) => this.transact(given),
      UpdateCommand: (given: Write['Update'] & Dynamo.UpdateCommandInput) => this.write({ Update: given }),
    };
    const known = run[command];
    if (!known) throw invalid(`Unknown command ${command}`);
    return known(input as never);
  }

  /** The client of a process. */
  client(line: Line = DIRECT): Dynamo.DynamoDBDocumentClient {
    const send = (command: { input: unknown; constructor: { name: string } }) => {
      const call = { command: command.constructor.name, input: command.input };
      return line.around(call, () => this.execute(call, line));
    };
    return { send } as unknown as Dynamo.DynamoDBDocumentClient;
  }

  /** Items of a table are gone at once. */
  lose(table: keyof TableNames, isLost: (item: Item) => boolean): void {
    for (const before of this.itemsOf(table).filter(isLost))
      this.apply({ table, isAllowed: true, before, after: undefined });
    this.onChange();
  }

  /** All items of a table in their current state. */
  itemsOf(table: keyof TableNames): Item[] {
    return this.rows(TABLES[table]).values();
  }
}
