import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { parse } from 'yaml';
import { createDynamo, UNHURRIED } from '../../lib/dynamodb/client.ts';
import { type Runtime, systemRuntime } from '../../lib/runtime.ts';
import { useLocalCredentials } from '../../lib/tooling/local/environment.ts';
import { createMissingTables, tableDefinitions } from '../../lib/tooling/local/tables.ts';
import type { Database, TableNames } from '../../lib/users/database.ts';
import { createFold, type Fold } from '../../lib/users/fold/fold.ts';
import { usersTableSchema } from '../../lib/users/indexes.ts';
import { beginStage } from '../../lib/users/journal/newStage.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { SIZES, type Sizes } from '../../lib/users/sizes.ts';
import { createUserStore } from '../../lib/users/store.ts';

/** The tables of the template, as the framework resolves them for a stage of this name. */
export function templateTables(names: TableNames) {
  const template = readFileSync(new URL('../../lib/users/tables.yml', import.meta.url), 'utf8');
  const resolved = template
    .replaceAll('${self:custom.tables.users}', names.users)
    .replaceAll('${self:custom.tables.directory}', names.directory);
  const { Resources } = parse(resolved);
  Object.assign(Resources.UsersTable.Properties, usersTableSchema());
  return tableDefinitions(Resources);
}

export interface TestService extends Database {
  users: ReturnType<typeof createUserStore>;
  listing: ReturnType<typeof createUserListing>;
  fold: Fold;
}

/** The embedded store's indexes are never late, and its queries are snapshots. */
export const HISTORY_DAYS = 7;
const FOLD_AT_ONCE = { minimumAgeMs: 0, writtenToDeleteMs: 0, restMs: 0, historyDays: HISTORY_DAYS };

/** A service with two empty tables and the head that the first fold makes, or with the tables of another one. */
export async function createTestService(
  given: Partial<Runtime> = {},
  names?: TableNames,
  sizes: Partial<Sizes> = {},
): Promise<TestService> {
  useLocalCredentials();
  process.env.AWS_REGION ??= 'local';
  const prefix = randomUUID();
  const tables = names ?? { users: `${prefix}-users`, directory: `${prefix}-directory` };
  const endpoint = inject('endpoint');
  await createMissingTables(new DynamoDBClient({ endpoint }), templateTables(tables));
  const runtime = { ...systemRuntime, ...given };
  // Another store than the embedded one may be slow on a busy machine.
  const dynamo = createDynamo({ endpoint, runtime, ...(process.env.TEST_DYNAMODB && UNHURRIED) });
  const database = { dynamo, tables, runtime, sizes: { ...SIZES, ...sizes } };
  await beginStage(database);
  return {
    ...database,
    users: createUserStore(database),
    listing: createUserListing(database),
    fold: createFold(database, FOLD_AT_ONCE),
  };
}
