import { KEEPER } from '../lib/changes/keep.ts';
import { createDynamo } from '../lib/dynamodb/index.ts';
import { systemRuntime } from '../lib/ground/index.ts';
import { type Database, LIMITS } from '../lib/users/database.ts';
import { USER_ROWS } from '../lib/users/rows.ts';

export const TABLES = { users: 'users', directory: 'directory' };

export const connectTo = (endpoint: string): Database => ({
  dynamo: createDynamo({ endpoint, isUnhurried: true }),
  tables: TABLES,
  runtime: systemRuntime,
  limits: LIMITS,
  rows: USER_ROWS,
  keeper: KEEPER,
  // As at a stage.
  historyDays: 30,
});
