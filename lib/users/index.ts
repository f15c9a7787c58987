/** The default wiring, once per container. */
import { createDynamo } from '../dynamodb/client.ts';
import { requiredVariable, systemRuntime } from '../runtime.ts';
import { createUserListing } from './listing/listing.ts';
import { createUserStore } from './store.ts';

const dynamo = createDynamo();
const tables = { users: requiredVariable('USERS_TABLE'), directory: requiredVariable('DIRECTORY_TABLE') };

export const users = createUserStore({ dynamo, tables, runtime: systemRuntime });
export const listing = createUserListing({ dynamo, tables });
