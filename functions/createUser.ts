import { type EndpointRoute, endpointWithBody, type OperationDescription } from '../lib/http/api.ts';
import { readIdempotencyKey } from '../lib/http/request/idempotencyKey.ts';
import { userBody } from '../lib/http/request/userBody.ts';
import { createdUser } from '../lib/http/response/users.ts';
import { newUser } from '../lib/openapi/description.ts';
import { originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields } from '../lib/users/user.ts';

export const route: EndpointRoute = {
  at: 'POST /api/users',
  scopes: ['users:write'],
  permissions: ['putUsers', 'rememberRequests', 'takeEmails'],
  does: 'creates a user: 201',
  elsewhere: 'new create add register signup',
  there: 'POST /api/users creates a user',
  examples: [
    {
      json: {
        ...{ name: 'Ann Lee', email: 'ann@example.com', age: 30, firstName: 'Ann', lastName: 'Lee' },
        ...{ status: 'active', country: 'DE' },
      },
    },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'Create a user',
  description: '`id`, `createdAt` and `updatedAt` are set by the service.',
  headers: ['IdempotencyKey'],
  body: 'UserInput',
  responses: { 201: newUser('Idempotency-Replayed') },
  errors: [409, 413, 415, 422],
});

/** Tells a client that the user was created before, and may have changed or gone since. */
const REPLAYED = { 'idempotency-replayed': 'true' };

export const handler = /* @__PURE__ */ endpointWithBody(
  userBody,
  readIdempotencyKey,
  async ({ body, parameters: key }, event) => {
    const fields = pickFields(body);
    const origin = originOf(event);
    if (key === undefined) return createdUser(event, await users.create(fields, origin));
    const { user, isReplayed } = await users.createOnce({ key, fields }, origin);
    return createdUser(event, user, isReplayed ? REPLAYED : {});
  },
);
