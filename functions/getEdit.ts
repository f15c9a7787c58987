import { requireKept } from '../lib/changes/items.ts';
import { editNotFound, readState, stateOf } from '../lib/edits/log.ts';
import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { readEditName } from '../lib/http/queries/edit.ts';
import { okEditState } from '../lib/http/response/edits.ts';
import { jsonResponse } from '../lib/openapi/description.ts';
import { database } from '../lib/roots/database.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users/edits/{edit}',
  scopes: ['users:audit'],
  permissions: ['readEdit'],
  does: 'the state of an edit or undo',
  examples: [{ title: 'How many it has changed, when, and who began it' }],
};

export const about = (): OperationDescription => ({
  summary: 'Get an edit',
  description:
    'The number of users whom an edit, or an undo, has changed so far, and when and by whom it was begun. It is there as long as its changes are kept.',
  responses: { 200: jsonResponse('The edit.', 'EditState') },
  errors: [404],
});

/** An edit, or an undo, so far. */
export const handler = /* @__PURE__ */ endpoint(readEditName, async (name) => {
  requireKept(database);
  const log = await readState(database, name);
  if (!log) throw editNotFound(name);
  return okEditState(stateOf(log));
});
