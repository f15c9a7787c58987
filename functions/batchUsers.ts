import { systemRuntime as runtime } from '../lib/ground/index.ts';
import { type EndpointRoute, endpointWithBody, type OperationDescription } from '../lib/http/api.ts';
import { batchBody, runBatch } from '../lib/http/batch/batch.ts';
import { readIdempotencyKey } from '../lib/http/request/idempotencyKey.ts';
import { jsonResponse } from '../lib/openapi/description.ts';
import { isStrict, ok, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';

export const route: EndpointRoute = {
  at: 'POST /api/users/batch',
  scopes: ['users:read', 'users:write'],
  isUntimed: true,
  permissions: ['readUser', 'putUsers', 'deleteUsers', 'beginLives', 'rememberRequests', 'takeEmails', 'freeValues'],
  // As long as API Gateway waits: what has no time left is answered as not begun.
  settings: { timeout: 28 },
  does: 'up to [100 writes](#writes) in one request',
  elsewhere: 'import imports upload',
  there: 'POST /api/users/batch creates up to 100 users, and the program npm run import reads files',
  examples: [
    {
      title: 'Several at once, each with a result of its own',
      json: {
        operations: [
          { op: 'upsert', externalId: 'auth0|6551b2c4', user: { name: 'Eve Meyer', country: 'DE' } },
          { op: 'patch', id: '{id}', patch: { country: 'DE' } },
        ],
      },
    },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'Create, replace, patch and delete several users',
  description:
    'Up to 100 operations, each like a request of its own. The response is 200 even if all have failed, and has a result for each, in their order. Operations of the same user, by `id` or `externalId`, run in the order given, all others in any order. ' +
    'An operation for which there was no time, or no database, has the status 503, and may be sent again. An `Idempotency-Key` makes each `create` without `id` repeatable, by its user, in this batch or another one: a user who was created before has the status 200.',
  headers: ['IdempotencyKey'],
  body: 'Batch',
  responses: { 200: jsonResponse('A result for each operation.', 'BatchResults', 'Ignored-Members') },
  errors: [413, 415],
});

/** Creates, replaces, patches and deletes several users, each by itself. */
export const handler = /* @__PURE__ */ endpointWithBody(
  batchBody,
  readIdempotencyKey,
  async ({ body, parameters: key }, event, { awsRequestId: requestId }) =>
    ok({
      results: await runBatch(body, {
        ...{ users, origin: originOf(event), key, requestId, runtime },
        isStrict: isStrict(event),
      }),
    }),
);
