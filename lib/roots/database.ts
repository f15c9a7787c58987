import { createDynamo } from '../dynamodb/client.ts';
import { optionalVariable, requiredVariable, systemRuntime } from '../runtime.ts';
import { SIZES } from '../users/sizes.ts';

/** What every root connects its part to, once per container. */
export const database = {
  dynamo: createDynamo(),
  tables: { users: requiredVariable('USERS_TABLE'), directory: requiredVariable('DIRECTORY_TABLE') },
  runtime: systemRuntime,
  sizes: SIZES,
  uniqueEmails: optionalVariable('UNIQUE_EMAILS') === 'true',
};
