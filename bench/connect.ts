import { createDynamo } from '../lib/dynamodb/index.ts';
import { systemRuntime } from '../lib/ground/index.ts';
import { LIMITS } from '../lib/replica/limits.ts';
import type { Database } from '../lib/users/database.ts';

export const TABLES = { users: 'users', directory: 'directory' };

export const connectTo = (endpoint: string): Database => ({
  dynamo: createDynamo({ endpoint, isUnhurried: true }),
  tables: TABLES,
  runtime: systemRuntime,
  limits: LIMITS,
  // As at a stage.
  historyDays: 30,
});
