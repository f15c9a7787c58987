import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { readId } from '../lib/http/queries/id.ts';
import { emptyResponse } from '../lib/openapi/description.ts';
import { checkPreconditions, noContent, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';

export const route: EndpointRoute = {
  at: 'DELETE /api/users/{id}',
  scopes: ['users:write'],
  permissions: ['readUser', 'deleteUsers', 'freeValues'],
  does: 'deletes the user: 204',
  examples: [{ title: 'Delete the user' }, { title: 'Delete the user with an external id', id: 'upsertUser' }],
};

export const about = (): OperationDescription => ({
  summary: 'Delete a user',
  headers: ['IfMatch', 'UnlessMatch'],
  responses: { 204: emptyResponse('The user is gone.') },
  errors: [404, 412],
});

export const handler = /* @__PURE__ */ endpoint(
  readId,
  async (id, event) => {
    await users.delete(id, (current) => checkPreconditions(event, current), originOf(event));
    return noContent();
  },
  [],
);
