/** The composition root: connects the parts, once per container. Each call is marked pure, so that a function's bundle has only the parts that it uses. */
import { createDynamo } from './dynamodb/client.ts';
import { numberVariable, requiredVariable, systemRuntime } from './runtime.ts';
import { createFold } from './users/journal/fold.ts';
import { createUserListing } from './users/listing/listing.ts';
import { SIZES } from './users/sizes.ts';
import { createUserStore } from './users/store.ts';

const database = {
  dynamo: createDynamo(),
  tables: { users: requiredVariable('USERS_TABLE'), directory: requiredVariable('DIRECTORY_TABLE') },
  runtime: systemRuntime,
  sizes: { ...SIZES, budgetUnits: numberVariable('LISTING_BUDGET', SIZES.budgetUnits) },
};

/** How late DynamoDB's indexes may be at this stage. */
const foldOptions = () => ({ minimumAgeMs: numberVariable('MINIMUM_AGE_MS', 2_000) });

export const users = /* @__PURE__ */ createUserStore(database);
export const listing = /* @__PURE__ */ createUserListing(database);
export const fold = /* @__PURE__ */ createFold(database, /* @__PURE__ */ foldOptions());
