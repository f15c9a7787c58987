import { systemRuntime as runtime } from '../lib/ground/index.ts';
import { endpointWithBody } from '../lib/http/api.ts';
import { batchBody, runBatch } from '../lib/http/batch/batch.ts';
import { readIdempotencyKey } from '../lib/http/queries/user.ts';
import { isStrict, ok, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';

/** Creates, replaces, patches and deletes several users, each by itself. */
export const handler = endpointWithBody(
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
