/** The composition root of functions that read and erase what happened to users. */
import { numberVariable } from '../runtime.ts';
import { createChanges } from '../users/changes/changes.ts';
import { database } from './database.ts';

export const changes = createChanges(database, numberVariable('HISTORY_DAYS', 30));
