import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { eraseHistory, type HistoryQuery, readHistory } from '../../lib/changes/history.ts';
import { KEEPER } from '../../lib/changes/keep.ts';
import { readFeed, type ShownQuery } from '../../lib/changes/shown.ts';
import { createDynamo } from '../../lib/dynamodb/index.ts';
import { type Runtime, systemRuntime } from '../../lib/ground/index.ts';
import { createFold } from '../../lib/replica/index.ts';
import { ensureBase } from '../../lib/replica/internals.ts';
import { type Database, LIMITS, type Limits, type TableNames } from '../../lib/users/database.ts';
import { createIdSource } from '../../lib/users/ids.ts';
import { createUserListing } from '../../lib/users/lists.ts';
import { USER_ROWS } from '../../lib/users/rows.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { createMissingTables } from '../../tools/deploy/tables.ts';
import { templateTables } from '../../tools/local/templateTables.ts';
import { createMany } from '../../tools/samples/createMany.ts';
import { AT_ONCE } from './fake/steps.ts';
import { FakeStore, type Line, TABLES } from './fake/store.ts';
import { SEARCH_ENDPOINT, searchedParts } from './searched.ts';
import { storeEndpoint } from './shared.ts';

/** For how long changes are kept, unless a test says otherwise. */
export const HISTORY_DAYS = 7;

interface Options {
  /** Lower limits, which few users reach. */
  limits?: Partial<Limits>;
  clock?: Partial<Runtime>;
  uniqueEmails?: boolean;
  /** Days for which changes are kept. In memory they are not kept unless it is given. */
  historyDays?: number;
  /** The most items that a query returns, in memory. */
  itemsPerPage?: number;
}

interface EmbeddedOptions {
  tables?: TableNames;
  /** The fold has not run yet: lists are 503. */
  isNew?: boolean;
}

const UNTIL_ALL_IS_FOLDED = 600_000;

export const changesOf = (database: Database) => ({
  feed: (query: ShownQuery) => readFeed(database, query),
  history: (query: HistoryQuery) => readHistory(database, query),
  erase: (id: number) => eraseHistory(database, id),
});

export type TestService = ReturnType<typeof serviceOf>;

/** The parts of the service, over the same tables. */
function serviceOf(database: Database, stage: string) {
  const searched = SEARCH_ENDPOINT === undefined ? undefined : searchedParts(database, stage);
  const fold = searched ?? createFold(database, AT_ONCE);
  const nextId = createIdSource(database.runtime);
  return {
    ...database,
    users: {
      ...createUserStore(database, nextId),
      createMany: (all: readonly UserFields[]) => createMany(database, all, nextId),
    },
    /** The name of the stage. */
    stage,
    listing: searched?.listing ?? createUserListing(database),
    changes: changesOf(database),
    /** Folds until nothing is left, or until the time is over. Entries are folded at once, however young they are. */
    fold: (milliseconds = UNTIL_ALL_IS_FOLDED) => fold.run(milliseconds),
  };
}

export type MemoryService = ReturnType<typeof memory>;

/** A service over a store in memory. */
function memory({ limits, clock = {}, historyDays = 0, itemsPerPage, uniqueEmails = false }: Options = {}) {
  let [time, lag] = [1_790_000_000_000, 0];
  const now = clock.now ?? (() => time);
  const store = new FakeStore({ now, lag: () => lag, ...(itemsPerPage !== undefined && { itemsPerPage }) });
  const runtime = { ...systemRuntime, now, monotonic: now, processor: now, sleep: async () => {}, ...clock };
  const databaseOf = (around: Line['around']): Database => ({
    dynamo: store.client({ around, pause: async () => {} }),
    tables: TABLES,
    runtime,
    limits: { ...LIMITS, ...limits },
    ...{ rows: USER_ROWS, keeper: KEEPER, uniqueEmails, historyDays },
  });
  const database = databaseOf((_, execute) => execute());
  const stage = randomUUID();
  return {
    ...serviceOf(database, stage),
    store,
    database,
    /** The database of another process, whose calls go through `around`. */
    databaseOf,
    /** The same service in another process, whose calls go through `around`. */
    processOf: (around: Line['around']) => serviceOf(databaseOf(around), stage),
    /** Sets how late indexes are from now on. */
    setLag: (milliseconds: number) => {
      lag = milliseconds;
    },
    /** Moves the clock. It stands still otherwise. */
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

/** In the embedded DynamoDB indexes are never late, and a query sees one moment. */
async function embedded({
  limits,
  clock,
  uniqueEmails = false,
  historyDays = HISTORY_DAYS,
  tables: given,
  isNew = false,
}: Options & EmbeddedOptions = {}): Promise<TestService> {
  const prefix = randomUUID();
  const tables = given ?? { users: `${prefix}-users`, directory: `${prefix}-directory` };
  const endpoint = await storeEndpoint();
  await createMissingTables(new DynamoDBClient({ endpoint }), templateTables(tables));
  const runtime = { ...systemRuntime, ...clock };
  // A store other than the embedded one may be slow on a busy machine.
  const dynamo = createDynamo({ endpoint, runtime, isUnhurried: process.env.TEST_DYNAMODB !== undefined });
  const options = { rows: USER_ROWS, keeper: KEEPER, uniqueEmails, historyDays };
  const database = { dynamo, tables, runtime, limits: { ...LIMITS, ...limits }, ...options };
  if (!isNew) await ensureBase(database);
  return serviceOf(database, prefix);
}

/**
 * A service for a test. `memory` is fast: a store in this process, with a clock and an index delay that the test sets. `embedded` has
 * its own real tables, in the DynamoDB that all tests share. `startService` of httpService.ts starts what `npm start` starts.
 */
export const serviceOn = { memory, embedded };
