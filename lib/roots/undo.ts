/** The composition root of the function that undoes edits. */
import { numberVariable } from '../runtime.ts';
import { createUndo } from '../users/edits/undo.ts';
import { database } from './database.ts';
import { users } from './users.ts';

export const undo = createUndo(database, { users, historyDays: numberVariable('HISTORY_DAYS', 30) });
