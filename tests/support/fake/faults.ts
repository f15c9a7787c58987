import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import type {
  BatchExecuteStatementCommandInput,
  BatchExecuteStatementCommandOutput,
  BatchWriteCommandInput,
  QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { never } from './steps.ts';
import type { Call } from './store.ts';

/** Carries out an attempt that meets a fault. */
type Attempt = (call: Call, execute: () => Promise<unknown>, on: Happenings) => Promise<unknown>;

interface Happenings {
  /** Ends the process that made the call. */
  die(): void;
  /** Delays the attempt: it may arrive after the next one. */
  later(run: () => Promise<unknown>): void;
}

export interface Fault {
  name: string;
  /** The calls that can meet it. */
  of: RegExp;
  attempt: Attempt;
}

const METADATA = { $metadata: {} };

const networkError = (code: string) => () => Object.assign(new Error('socket hang up'), { name: 'Error', code });
const named = (name: string, httpStatusCode: number, more: object = {}) =>
  Object.assign(new Error(name), { name, $fault: 'client', $metadata: { httpStatusCode }, ...more });

const throttled = () => named('ThrottlingException', 400);
const internalError = () => named('InternalServerError', 500, { $fault: 'server' });
const conflict = () => new TransactionConflictException({ message: 'Conflict', ...METADATA });
export const inProgress = () =>
  new TransactionInProgressException({ Message: 'In progress', message: 'In progress', ...METADATA });

/** The `Code` of each item of a transaction. The last item has the reason. */
const cancelled = (code: string) => (call: Call) => {
  const { TransactItems } = call.input as { TransactItems: unknown[] };
  const CancellationReasons = TransactItems.map((_, i) => ({ Code: i === TransactItems.length - 1 ? code : 'None' }));
  return new TransactionCanceledException({ message: 'Transaction cancelled', CancellationReasons, ...METADATA });
};

/** The attempt is not carried out. */
const fails =
  (error: (call: Call) => Error): Attempt =>
  (call) =>
    Promise.reject(error(call));

/** The attempt is carried out, and its response is lost. */
const failsAfter =
  (error: () => Error): Attempt =>
  async (_, execute) => {
    await execute();
    throw error();
  };

/** DynamoDB did not answer in time. */
export const noAnswer = networkError('ETIMEDOUT');

/** The attempt arrives later, and its caller has stopped waiting for it. */
const arrivesLate: Attempt = async (_, execute, { later }) => {
  later(execute);
  throw noAnswer();
};

const ANY = /^/;
const WRITES = /^(Put|Update|Delete|BatchWrite|BatchExecuteStatement|TransactWrite)Command$/;
const TRANSACTIONS = /^TransactWriteCommand$/;
const FAILED = 'InternalServerError';
const STATEMENTS = /^BatchExecuteStatementCommand$/;

/** The statement in the middle of a batch gets an `Error`. All others are executed, and with `isExecuted` this one too. */
const statementFails =
  (Code: 'ThrottlingError' | 'TransactionConflict' | typeof FAILED, isExecuted = false): Attempt =>
  async (call, execute) => {
    const { Statements = [] } = call.input as BatchExecuteStatementCommandInput;
    const middle = Statements.length >> 1;
    const executed = isExecuted ? Statements : Statements.toSpliced(middle, 1);
    const response: BatchExecuteStatementCommandOutput = { Responses: [], ConsumedCapacity: [], ...METADATA };
    call.input = { Statements: executed };
    if (executed.length > 0) Object.assign(response, await execute());
    const failed = { Error: { Code, Message: Code } };
    return { ...response, Responses: response.Responses?.toSpliced(middle, isExecuted ? 1 : 0, failed) };
  };

/** Marks the start key of the query that follows an empty page. `goOn` removes it. */
const EMPTY = 'fromAnEmptyPage';

/** The faults of an attempt: of the network, of DynamoDB, of another writer, or of its own process. */
export const FAULTS: readonly Fault[] = [
  { name: 'throttled', of: ANY, attempt: fails(throttled) },
  { name: 'internal error', of: ANY, attempt: fails(internalError) },
  { name: 'no response in time', of: ANY, attempt: fails(() => named('TimeoutError', 0)) },
  { name: 'connection lost before', of: ANY, attempt: fails(networkError('EPIPE')) },
  { name: 'connection lost after', of: ANY, attempt: failsAfter(networkError('ECONNRESET')) },
  { name: 'half a response', of: ANY, attempt: async (_, execute) => execute().then(() => ({})) },
  { name: 'conflict', of: /^(Put|Update|Delete)Command$/, attempt: fails(conflict) },
  { name: 'conflict in the reasons', of: TRANSACTIONS, attempt: fails(cancelled('TransactionConflict')) },
  { name: 'throttled in the reasons', of: TRANSACTIONS, attempt: fails(cancelled('ThrottlingError')) },
  { name: 'the same still in progress', of: TRANSACTIONS, attempt: failsAfter(inProgress) },
  {
    name: 'half of a batch',
    of: /^BatchWriteCommand$/,
    async attempt(call, execute) {
      const all = Object.entries((call.input as BatchWriteCommandInput).RequestItems ?? {});
      const partOf = (of: (middle: number) => [from: number, to?: number]) =>
        Object.fromEntries(all.map(([table, requests]) => [table, requests.slice(...of(requests.length >> 1))]));
      call.input = { RequestItems: partOf((middle) => [0, middle]) };
      const response = await execute();
      return { ...(response as object), UnprocessedItems: partOf((middle) => [middle]) };
    },
  },
  { name: 'one statement is throttled', of: STATEMENTS, attempt: statementFails('ThrottlingError') },
  { name: 'one statement meets a conflict', of: STATEMENTS, attempt: statementFails('TransactionConflict') },
  { name: 'one statement fails', of: STATEMENTS, attempt: statementFails(FAILED) },
  { name: 'one statement fails after it has written', of: STATEMENTS, attempt: statementFails(FAILED, true) },
  {
    name: 'empty page',
    of: /^QueryCommand$/,
    async attempt({ input }) {
      const { ExclusiveStartKey } = input as QueryCommandInput;
      return { Items: [], Count: 0, LastEvaluatedKey: { ...ExclusiveStartKey, [EMPTY]: 1 }, ConsumedCapacity: {} };
    },
  },
  { name: 'the attempt arrives late', of: WRITES, attempt: arrivesLate },
  {
    name: 'the process dies before',
    of: ANY,
    attempt(_, __, { die }) {
      die();
      return never();
    },
  },
  {
    name: 'the process dies after',
    of: ANY,
    async attempt(_, execute, { die }) {
      await execute();
      die();
      return never();
    },
  },
];

/** A query after an empty page starts where that page started. */
export function goOn(call: Call): void {
  const { ExclusiveStartKey } = call.input as QueryCommandInput;
  if (!ExclusiveStartKey || !(EMPTY in ExclusiveStartKey)) return;
  const { [EMPTY]: _, ...key } = ExclusiveStartKey;
  const { ExclusiveStartKey: __, ...input } = call.input as QueryCommandInput;
  call.input = Object.keys(key).length > 0 ? { ...input, ExclusiveStartKey: key } : input;
}
