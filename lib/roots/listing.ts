/** The composition root of functions that list users. */
import { database, numberVariable } from './database.ts';
import { createListing } from './replicaStage.ts';

export const listing = createListing(database);

/**
 * Resolves when this container has all users, and after seven seconds in any case: Lambda gives a start ten. It freezes a new container
 * once its code is loaded, unless a request waits, so tools/deploy/packaging.ts makes this a part of loading.
 */
export const started: Promise<void> = listing.load(numberVariable('LOADING_MS', 7_000));
