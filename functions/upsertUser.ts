import { type EndpointRoute, endpointWithBody, type OperationDescription } from '../lib/http/api.ts';
import { externalIdQuery } from '../lib/http/queries/user.ts';
import { userBody, withExternalId } from '../lib/http/request/userBody.ts';
import { createdUser, okUser } from '../lib/http/response/users.ts';
import { replacedOrCreated } from '../lib/openapi/description.ts';
import { checkPreconditions, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields, type User } from '../lib/users/user.ts';

export const route: EndpointRoute = {
  at: 'PUT /api/users',
  scopes: ['users:write'],
  permissions: ['readUser', 'putUsers', 'takeEmails', 'freeEmails'],
  does: 'replaces or creates the user with this `externalId`',
  examples: [
    {
      title: 'Create or replace the user with an external id; once more, and nothing is written',
      query: 'externalId=auth0%7C6551b2c4',
      json: { name: 'Eve Meyer' },
    },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'Create or replace the user with an external id',
  description:
    'For a sync with an issuer or another system. The same request again writes nothing. Fields that are left out are removed. Of two at the same time one creates, and the other one replaces. With `If-None-Match: *` it only creates.',
  query: externalIdQuery,
  headers: ['IfMatch', 'UnlessMatchOrAny'],
  body: 'UserInput',
  responses: replacedOrCreated(),
  errors: [409, 412, 413, 415],
});

/** Creates or replaces the user with an external id. */
export const handler = /* @__PURE__ */ endpointWithBody(
  userBody,
  externalIdQuery,
  async ({ body, parameters: externalId }, event) => {
    const fields = pickFields(withExternalId(body, externalId));
    const check = (current: User | undefined) => checkPreconditions(event, current);
    const { user, isNew } = await users.upsert(externalId, fields, check, originOf(event));
    return isNew ? createdUser(event, user) : okUser(user);
  },
);
