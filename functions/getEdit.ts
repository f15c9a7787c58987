import { requireKept } from '../lib/changes/items.ts';
import { editNotFound, readState, stateOf } from '../lib/edits/log.ts';
import { endpoint } from '../lib/http/api.ts';
import { readEditName } from '../lib/http/queries/user.ts';
import { okEditState } from '../lib/http/response/edits.ts';
import { database } from '../lib/roots/database.ts';

/** An edit, or an undo, so far. */
export const handler = endpoint(readEditName, async (name) => {
  requireKept(database);
  const log = await readState(database, name);
  if (!log) throw editNotFound(name);
  return okEditState(stateOf(log));
});
