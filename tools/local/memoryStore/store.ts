import { createHash } from 'node:crypto';
import type * as Client from '@aws-sdk/client-dynamodb';
import type * as Dynamo from '@aws-sdk/lib-dynamodb';
import { cancelled, invalid, mismatch, noTable, refused, tableExists } from './errors.ts';
import type { Item } from './expressions.ts';
import { getItem, query, type Reading, readKeys, scan } from './reads.ts';
import { parseStatement, type Statement } from './statements.ts';
import { Table, type ViewOf } from './table.ts';
import { sizeOf } from './units.ts';
import { type Change, changeOf, consumedBy, consumedByReading, type Write } from './writes.ts';

/** A call of the document client, which has plain values. */
export interface Call {
  command: string;
  input: unknown;
}

export interface Pauses {
  /** Called between two items of a read or of a batch write, and between two statements of a batch. */
  pause(isWrite: boolean): Promise<void>;
}

const NO_PAUSES: Pauses = { pause: async () => {} };

export interface StoreOptions extends Partial<Omit<Reading, 'pause'>> {
  /** The views that lag behind a table. By default none does. */
  viewOf?: ViewOf;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const MAX_TRANSACTION_BYTES = 4 * 1_024 * 1_024;
const MAX_TRANSACTION_ITEMS = 100;
/** Older tokens are forgotten. DynamoDB does so after ten minutes. */
const MAX_TOKENS = 10_000;

const MAX_STATEMENTS = 25;

/** Equal for the same request, which is sent with its members in the same order. */
const fingerprintOf = (items: object): string => createHash('sha256').update(JSON.stringify(items)).digest('base64');

/**
 * DynamoDB in memory, as far as this service uses it: tables with indexes, conditions, transactions with tokens, batches of
 * conditional statements, units, and the quotas that the service could reach. The data is gone with the process. fake.test.ts
 * compares it with the embedded DynamoDB.
 */
export class MemoryStore {
  private readonly byName = new Map<string, Table>();
  /** The contents of each transaction that was carried out, by its token. One that was cancelled leaves nothing behind. */
  private readonly tokens = new Map<string, string>();
  private readonly viewOf: ViewOf;
  private readonly reading: Omit<Reading, 'pause'>;

  constructor({
    viewOf = () => undefined,
    itemsPerPage = Number.POSITIVE_INFINITY,
    isLeft = () => false,
  }: StoreOptions = {}) {
    this.viewOf = viewOf;
    this.reading = { itemsPerPage, isLeft };
  }

  /** @throws ResourceNotFoundException */
  protected readonly tableOf = (name: string | undefined): Table => {
    const table = this.byName.get(name ?? '');
    if (!table) throw noTable(name);
    return table;
  };

  protected createTable(definition: Client.CreateTableCommandInput) {
    const { TableName = '' } = definition;
    if (this.byName.has(TableName)) throw tableExists(TableName);
    this.byName.set(TableName, new Table(definition, this.viewOf));
    return { TableDescription: this.describe(TableName) };
  }

  private describe(name: string | undefined) {
    return { ...this.tableOf(name).definition, TableStatus: 'ACTIVE' };
  }

  private deleteTable(name: string | undefined) {
    const TableDescription = this.describe(name);
    this.byName.delete(name ?? '');
    return { TableDescription };
  }

  /** Carries out changes at once, which are all allowed. Several are a transaction. */
  protected apply(changes: readonly Change[]): void {
    for (const { table, before, after } of changes) table.replace(before, after);
  }

  /** @returns what it has consumed */
  private write(write: Write): object[] {
    const change = changeOf(this.tableOf, write);
    if (!change.isAllowed) throw refused();
    const consumed = consumedBy([change]);
    this.apply([change]);
    return consumed;
  }

  private writeOne(write: Write) {
    const [ConsumedCapacity] = this.write(write);
    return { ConsumedCapacity };
  }

  private remember(token: string, fingerprint: string): void {
    this.tokens.set(token, fingerprint);
    const [oldest = ''] = this.tokens.keys();
    if (this.tokens.size > MAX_TOKENS) this.tokens.delete(oldest);
  }

  private transact({ TransactItems = [], ClientRequestToken: token = '' }: Dynamo.TransactWriteCommandInput) {
    if (TransactItems.length > MAX_TRANSACTION_ITEMS) throw invalid('Too many items in a transaction');
    if (sizeOf(TransactItems) > MAX_TRANSACTION_BYTES) throw invalid('Transaction is too large');
    const changes = TransactItems.map((item) => changeOf(this.tableOf, item));
    const [known, fingerprint] = [this.tokens.get(token), fingerprintOf(TransactItems)];
    if (known !== undefined && known !== fingerprint) throw mismatch();
    if (known !== undefined) return { ConsumedCapacity: consumedByReading(changes) };
    if (changes.some(({ isAllowed }) => !isAllowed)) throw cancelled(changes.map(({ isAllowed }) => isAllowed));
    const ConsumedCapacity = consumedBy(changes, 2);
    this.apply(changes);
    if (token !== '') this.remember(token, fingerprint);
    return { ConsumedCapacity };
  }

  private async readBatch({ RequestItems = {} }: Dynamo.BatchGetCommandInput, reading: Reading) {
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: NonNullable<Dynamo.BatchGetCommandInput['RequestItems']> = {};
    const ConsumedCapacity: object[] = [];
    for (const [name, keys] of Object.entries(RequestItems)) {
      const { items, unread, consumed } = await readKeys(this.tableOf(name), keys, reading);
      Responses[name] = items;
      if (unread) UnprocessedKeys[name] = unread;
      ConsumedCapacity.push(consumed);
    }
    return { Responses, UnprocessedKeys, ConsumedCapacity };
  }

  private async writeBatch({ RequestItems = {} }: Dynamo.BatchWriteCommandInput, { pause }: Pauses) {
    const ConsumedCapacity: object[] = [];
    for (const [TableName, requests] of Object.entries(RequestItems)) {
      for (const { PutRequest, DeleteRequest } of requests) {
        const write = PutRequest
          ? { Put: { TableName, Item: PutRequest.Item } }
          : { Delete: { TableName, Key: DeleteRequest?.Key } };
        ConsumedCapacity.push(...this.write(write));
        await pause(true);
      }
    }
    return { UnprocessedItems: {}, ConsumedCapacity };
  }

  /** @throws ValidationException when the store does not know a statement, or two statements write the same item */
  private parse(statements: readonly Statement[]): Write[] {
    if (statements.length < 1 || statements.length > MAX_STATEMENTS) throw invalid('Not 1 to 25 statements');
    try {
      const parsed = statements.map(parseStatement);
      const places = parsed.map(({ Put }) => JSON.stringify([Put?.TableName, Put?.Item?.pk, Put?.Item?.sk]));
      if (new Set(places).size < places.length) throw new Error('Provided list of item keys contains duplicates');
      return parsed;
    } catch (error) {
      throw invalid((error as Error).message);
    }
  }

  private executeStatement(write: Write): { Error?: { Code: string; Message: string }; consumed: object[] } {
    try {
      return { consumed: this.write(write) };
    } catch (error) {
      const { name, message: Message } = error as Error;
      const Code = { ConditionalCheckFailedException: 'DuplicateItem', ValidationException: 'ValidationError' }[name];
      if (Code === undefined) throw error;
      return { Error: { Code, Message }, consumed: [] };
    }
  }

  private async executeBatch({ Statements = [] }: Dynamo.BatchExecuteStatementCommandInput, { pause }: Pauses) {
    const Responses: { Error?: { Code: string; Message: string } }[] = [];
    const ConsumedCapacity: object[] = [];
    for (const statement of this.parse(Statements)) {
      const { consumed, ...response } = this.executeStatement(statement);
      Responses.push(response);
      ConsumedCapacity.push(...consumed);
      await pause(true);
    }
    return { Responses, ConsumedCapacity };
  }

  /** Executes a call. @throws the errors of DynamoDB */
  async execute({ command, input }: Call, { pause }: Pauses = NO_PAUSES): Promise<unknown> {
    const reading: Reading = { ...this.reading, pause: (isWrite) => pause(isWrite) };
    const run: Record<string, (given: never) => unknown> = {
      BatchExecuteStatementCommand: (given) => this.executeBatch(given, reading),
      BatchGetCommand: (given) => this.readBatch(given, reading),
      BatchWriteCommand: (given) => this.writeBatch(given, reading),
      CreateTableCommand: (given) => this.createTable(given),
      DeleteCommand: (given) => this.writeOne({ Delete: given }),
      DeleteTableCommand: ({ TableName }: Client.DeleteTableCommandInput) => this.deleteTable(TableName),
      DescribeTableCommand: ({ TableName }: Client.DescribeTableCommandInput) => ({ Table: this.describe(TableName) }),
      GetCommand: (given: Dynamo.GetCommandInput) => getItem(this.tableOf(given.TableName), given),
      PutCommand: (given) => this.writeOne({ Put: given }),
      QueryCommand: (given: Dynamo.QueryCommandInput) => query(this.tableOf(given.TableName), given, reading),
      ScanCommand: (given: Dynamo.ScanCommandInput) => scan(this.tableOf(given.TableName), given, reading),
      TransactWriteCommand: (given) => this.transact(given),
      UpdateCommand: (given) => this.writeOne({ Update: given }),
    };
    const known = run[command];
    if (!known) throw invalid(`The store in memory does not know ${command}`);
    return known(input as never);
  }
}
