/** The composition root of the function that changes all users who match. */
import { createEdits } from '../edits/edits.ts';
import { database } from './database.ts';
import { listing } from './listing.ts';
import { users } from './users.ts';

export const edits = createEdits(database, { users, listing });
