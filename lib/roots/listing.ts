/** The composition root of functions that list users. */
import { numberVariable } from '../runtime.ts';
import { createUserListing } from '../users/listing/listing.ts';
import { database } from './database.ts';

const budgetUnits = numberVariable('LISTING_BUDGET', database.sizes.budgetUnits);

export const listing = createUserListing({ ...database, sizes: { ...database.sizes, budgetUnits } });
