import type { BatchGetCommandInput, DynamoDBDocumentClient, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { TableNames } from '../../../lib/users/database.ts';
import { invalid } from '../../../tools/local/memoryStore/errors.ts';
import type { Item } from '../../../tools/local/memoryStore/expressions.ts';
import type { Rows } from '../../../tools/local/memoryStore/rows.ts';
import { type Call, MemoryStore, type Pauses } from '../../../tools/local/memoryStore/store.ts';
import type { Change } from '../../../tools/local/memoryStore/writes.ts';
import { templateTables } from '../../../tools/local/templateTables.ts';
import { type Lag, lateRows } from './late.ts';

export type { Call };

export const TABLES: TableNames = { users: 'users', directory: 'directory' };

const DEFINITIONS = templateTables(TABLES);

/** The line between a process and the store. It may wait, repeat, or never respond. */
export interface Line extends Pauses {
  around(call: Call, execute: () => Promise<unknown>): Promise<unknown>;
}

/** Nothing happens on it. */
export const DIRECT: Line = { around: (_, execute) => execute(), pause: async () => {} };

export interface FakeOptions {
  now: () => number;
  lag?: Lag;
  /** The most items of a page of a query, which DynamoDB and this store also cut at a megabyte. */
  itemsPerPage?: number;
}

/** Refuses a weak read of a table that does not ask for it: most of the service needs the present state. */
function requireStrength({ command, input }: Call): void {
  const { RequestItems = {} } = input as BatchGetCommandInput;
  const reads = command === 'BatchGetCommand' ? Object.values(RequestItems) : [input];
  for (const { IndexName, ConsistentRead } of reads as QueryCommandInput[])
    if (/^(Get|BatchGet|Query)Command$/.test(command) && IndexName === undefined && ConsistentRead === undefined)
      throw invalid('A table is read as it was some time ago');
}

/**
 * A service that makes more calls in one turn of the event loop is in a loop that a bug has made endless. It would hang the run: this store
 * answers within the turn, so that the timer that ends a test never fires. No unit test makes a quarter of these calls. The long run does more.
 */
const MOST_CALLS_A_TURN = 20_000 * Number(process.env.TIMES ?? 1);

/** The store in memory of the local service, with the tables of the template, late indexes, and late weak reads of the directory. */
export class FakeStore extends MemoryStore {
  readonly tables: Record<string, Rows>;
  /** The number of writes of users. */
  commits = 0;
  /** Called after each change. */
  onChange: () => void = () => {};
  private callsOfTurn = 0;

  constructor({ now, lag = () => 0, itemsPerPage }: FakeOptions) {
    super({
      viewOf: (rows, { table, index }) =>
        index !== undefined || table === TABLES.directory
          ? lateRows({ rows, name: index ?? table, now, lag })
          : undefined,
      // Like DynamoDB, leaves some keys unread.
      isLeft: (place) => place % 7 === 6,
      ...(itemsPerPage !== undefined && { itemsPerPage }),
    });
    for (const definition of DEFINITIONS) this.createTable(definition);
    this.tables = Object.fromEntries(Object.values(TABLES).map((name) => [name, this.tableOf(name).rows]));
  }

  protected override apply(changes: readonly Change[]): void {
    super.apply(changes);
    if (changes.length > 1 && changes.some(({ table }) => table.name === TABLES.users)) this.commits++;
    this.onChange();
  }

  override async execute(call: Call, line: Pauses = DIRECT): Promise<unknown> {
    if (this.callsOfTurn++ === 0)
      setImmediate(() => {
        this.callsOfTurn = 0;
      });
    if (this.callsOfTurn > MOST_CALLS_A_TURN) throw new Error('The service calls its store without end');
    requireStrength(call);
    return super.execute(call, line);
  }

  /** The client of a process. */
  client(line: Line = DIRECT): DynamoDBDocumentClient {
    const send = (command: { input: unknown; constructor: { name: string } }) => {
      const call = { command: command.constructor.name, input: command.input };
      return line.around(call, () => this.execute(call, line));
    };
    return { send } as unknown as DynamoDBDocumentClient;
  }

  /** Items of a table are gone at once. */
  lose(name: keyof TableNames, isLost: (item: Item) => boolean): void {
    const table = this.tableOf(TABLES[name]);
    for (const item of this.itemsOf(name).filter(isLost)) table.replace(item, undefined);
    this.onChange();
  }

  /** All items of a table in their current state. */
  itemsOf(table: keyof TableNames): Item[] {
    return this.tableOf(TABLES[table]).rows.values();
  }
}
