/** The composition root of functions that list users. */
import { createUserListing } from '../users/listing/listing.ts';
import { database } from './database.ts';

export const listing = createUserListing(database);

// While the container starts, so that its first request waits for less.
listing.warm();
