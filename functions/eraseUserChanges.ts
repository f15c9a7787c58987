import { eraseHistory } from '../lib/changes/history.ts';
import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { readPastId } from '../lib/http/queries/id.ts';
import { emptyResponse } from '../lib/openapi/description.ts';
import { noContent } from '../lib/rest/index.ts';
import { database } from '../lib/roots/database.ts';

export const route: EndpointRoute = {
  at: 'DELETE /api/users/{id}/changes',
  scopes: ['users:audit', 'users:write'],
  isUntimed: true,
  permissions: ['eraseHistory'],
  does: 'erases this history: 204',
  examples: [{ title: "Erase the user's past" }],
};

export const about = (): OperationDescription => ({
  summary: "Erase a user's past",
  description:
    'Erases the kept changes of a user, here and in the changes of all users. Those still show that there was a change, without the user and the writer.',
  responses: { 204: emptyResponse('The changes are erased.') },
});

export const handler = /* @__PURE__ */ endpoint(
  readPastId,
  async (id) => {
    await eraseHistory(database, id);
    return noContent();
  },
  [],
);
