import { batchBody, runBatch } from '../lib/http/batch/batch.ts';
import { endpointWithBody } from '../lib/http/endpointWithBody.ts';
import { originOf } from '../lib/http/request/caller.ts';
import { readIdempotencyKey } from '../lib/http/request/idempotencyKey.ts';
import { ok } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';
import { systemRuntime as runtime } from '../lib/runtime.ts';

/** Creates, replaces, patches and deletes several users, each by itself. */
export const handler = endpointWithBody(
  batchBody,
  readIdempotencyKey,
  async ({ body, parameters: key }, event, { awsRequestId: requestId }) =>
    ok({ results: await runBatch(body, { users, origin: originOf(event), key, requestId, runtime }) }),
);
