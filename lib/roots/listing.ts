/** The composition root of functions that list users. */
import { createUserListing } from '../users/lists.ts';
import { database, numberVariable } from './database.ts';

export const listing = createUserListing(database);

/**
 * Resolves when this container has all users, and after seven seconds in any case: Lambda gives a start ten. It freezes a new container
 * once its code is loaded, unless a request waits, so tools/deploy/packaging.ts makes this a part of loading.
 */
export const started: Promise<void> = listing.load(numberVariable('LOADING_MS', 7_000));
