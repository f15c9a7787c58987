/** The composition root of the function that undoes edits. */
import { createUndo, createUndoPreview } from '../edits/undo.ts';
import { database } from './database.ts';
import { users } from './users.ts';

export const undo = createUndo(database, users);
export const undoPreview = createUndoPreview(database, users);
