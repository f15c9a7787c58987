/** The composition root of the function that reads one user. */
import { numberVariable } from '../runtime.ts';
import { type PastQuery, readUserAt } from '../users/changes/past.ts';
import type { User } from '../users/user.ts';
import { database } from './database.ts';

export const userAt = (query: PastQuery): Promise<User> =>
  readUserAt(database, numberVariable('HISTORY_DAYS', 30), query);
