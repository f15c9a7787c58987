import { type EndpointRoute, endpointWithBody, type OperationDescription } from '../lib/http/api.ts';
import { readId, readNewId } from '../lib/http/queries/id.ts';
import { checked, userBody } from '../lib/http/request/userBody.ts';
import { createdUserHere, okUser } from '../lib/http/response/users.ts';
import { replacedOrCreated } from '../lib/openapi/description.ts';
import { checkPreconditions, mustCreate, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields } from '../lib/users/user.ts';

export const route: EndpointRoute = {
  at: 'PUT /api/users/{id}',
  scopes: ['users:write'],
  permissions: ['readUser', 'putUsers', 'beginLives', 'takeEmails', 'freeValues'],
  does: 'replaces the user; with `If-None-Match: *`, creates one',
  examples: [
    {
      title: 'Replace the user: fields that are left out are removed',
      headers: { 'If-Match': '{etag}' },
      json: { name: 'Ann Meyer', lastName: 'Meyer' },
    },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'Replace a user, or create one with a given id',
  description:
    'Fields that are left out are removed. If that changes nothing, nothing is written and the ETag stays. With `If-None-Match: *` the user is created with this id, also if a deleted user had it, or a user of another service of this kind. `createdAt` follows from it.',
  headers: ['IfMatch', 'UnlessMatchOrAny'],
  body: 'UserInput',
  responses: replacedOrCreated(),
  errors: [404, 409, 412, 413, 415],
});

/** With `If-None-Match: *` it creates the user with this id. */
export const handler = /* @__PURE__ */ endpointWithBody(
  userBody,
  (event) => (mustCreate(event) ? { newId: readNewId(event) } : { id: readId(event) }),
  async ({ body, parameters }, event) => {
    const fields = pickFields(body);
    if (parameters.id === undefined) {
      checkPreconditions(event, undefined);
      return createdUserHere(event, await users.createWithId(parameters.newId, fields, originOf(event)));
    }
    const change = checked(event, () => fields);
    return okUser(await users.update(parameters.id, change, originOf(event)));
  },
);
