/** The default wiring, once per container. Marked pure, so that the bundle of a function gets the parts that it uses. */
import { createDynamo } from '../dynamodb/client.ts';
import { optionalVariable, requiredVariable, systemRuntime } from '../runtime.ts';
import { createFold } from './journal/fold.ts';
import { createUserListing } from './listing/listing.ts';
import { SIZES } from './sizes.ts';
import { createUserStore } from './store.ts';

const database = {
  dynamo: createDynamo(),
  tables: { users: requiredVariable('USERS_TABLE'), directory: requiredVariable('DIRECTORY_TABLE') },
  runtime: systemRuntime,
  sizes: SIZES,
};

/** How late indexes may be at this stage. */
const foldOptions = () => ({ minimumAgeMs: Number(optionalVariable('MINIMUM_AGE_MS') ?? 2_000) });

export const users = /* @__PURE__ */ createUserStore(database);
export const listing = /* @__PURE__ */ createUserListing(database);
export const fold = /* @__PURE__ */ createFold(database, /* @__PURE__ */ foldOptions());
