import { endpoint } from '../lib/http/api.ts';
import type { EndpointRoute } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/queries/user.ts';
import type { OperationDescription } from '../lib/openapi/description.ts';
import { emptyResponse } from '../lib/openapi/responses.ts';
import { checkPreconditions, noContent, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';

export const route: EndpointRoute = {
  at: 'DELETE /api/users/{id}',
  scopes: ['users:write'],
  permissions: ['readUser', 'deleteUsers', 'freeValues'],
  does: 'deletes the user: 204',
  examples: [{ title: 'Delete the user' }, { title: 'Delete the user with an external id', id: 'upsertUser' }],
};

export function about(): OperationDescription {
  return {
    summary: 'Delete a user',
    headers: ['IfMatch', 'UnlessMatch'],
    responses: { 204: emptyResponse('The user is gone.') },
    errors: [404, 412],
  };
}

export const handler = /* @__PURE__ */ endpoint(
  readId,
  async (id, event) => {
    await users.delete(id, (current) => checkPreconditions(event, current), originOf(event));
    return noContent();
  },
  [],
);
