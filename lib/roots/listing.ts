/** The composition root of functions that list users. */
import { createUserListing } from '../users/lists.ts';
import { database } from './database.ts';

export const listing = createUserListing(database);

// While the container starts, so that its first request waits for less.
listing.warm();
