import { createDynamo } from '../dynamodb/index.ts';
import { optionalVariable, requiredVariable, systemRuntime } from '../ground/index.ts';
import { baseBytesFor, MEGABYTES } from '../replica/index.ts';
import { LIMITS } from '../users/database.ts';
import { USER_ROWS } from '../users/rows.ts';

/** @throws {Error} when the variable is set, but is not a number, or is negative: a fault of the deployment */
export function numberVariable(name: string, fallback: number): number {
  const value = Number(optionalVariable(name) ?? fallback);
  if (!(value >= 0)) throw new Error(`Environment variable ${name} must be a number that is not negative`);
  return value;
}

/** The database that every root connects its part to, once per container. */
export const database = {
  dynamo: createDynamo(),
  tables: { users: requiredVariable('USERS_TABLE'), directory: requiredVariable('DIRECTORY_TABLE') },
  runtime: systemRuntime,
  limits: {
    ...LIMITS,
    baseBytes: baseBytesFor(numberVariable('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', MEGABYTES)),
    journalParts: numberVariable('JOURNAL_PARTS', 1),
  },
  rows: USER_ROWS,
  uniqueEmails: optionalVariable('UNIQUE_EMAILS') === 'true',
  historyDays: numberVariable('HISTORY_DAYS', 30),
};
