/** The default wiring, once per container. Marked pure, so that the bundle of a function gets the parts that it uses. */
import { createDynamo } from '../dynamodb/client.ts';
import { requiredVariable, systemRuntime } from '../runtime.ts';
import { createUserListing } from './listing/listing.ts';
import { createUserStore } from './store.ts';

const dynamo = createDynamo();
const tables = { users: requiredVariable('USERS_TABLE'), directory: requiredVariable('DIRECTORY_TABLE') };

export const users = /* @__PURE__ */ createUserStore({ dynamo, tables, runtime: systemRuntime });
export const listing = /* @__PURE__ */ createUserListing({ dynamo, tables });
