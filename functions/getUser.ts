import { readUserAt } from '../lib/changes/history.ts';
import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { userQuery } from '../lib/http/queries/user.ts';
import { okIfModified } from '../lib/http/response/users.ts';
import { emptyResponse, oneUser } from '../lib/openapi/description.ts';
import { database } from '../lib/roots/database.ts';
import { readUser } from '../lib/users/database.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users/{id}',
  scopes: ['users:read'],
  permissions: ['readUser', 'readHistory'],
  does: 'the user; with [`at`](changes.md#the-changes-of-a-user), as of a moment',
  takes: 'at',
  examples: [
    { title: 'Get the user that was created' },
    { title: 'Get the user as of a moment', query: 'at=2099-01-01' },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'Get a user, perhaps as of a moment',
  description:
    'With `at` also a user who is gone by now. 404 if there was no such user then, 410 if the changes since then are no longer kept or were erased.',
  query: userQuery,
  headers: ['IfNoneMatch'],
  responses: { 200: oneUser('The user.'), 304: emptyResponse('The client has this version.', 'ETag') },
  errors: [404, 410],
});

export const handler = /* @__PURE__ */ endpoint(userQuery, async ({ id, moment, members }, event) =>
  okIfModified(event, await (moment === undefined ? readUser(database, id) : readUserAt(database, { id, moment })), {
    members,
  }),
);
