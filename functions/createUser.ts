import { endpointWithBody } from '../lib/http/api.ts';
import { readIdempotencyKey } from '../lib/http/queries/user.ts';
import { userBody } from '../lib/http/request/userBody.ts';
import { createdUser } from '../lib/http/response/users.ts';
import { originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields } from '../lib/users/user.ts';

/** Tells a client that the user was created before, and may have changed or gone since. */
const REPLAYED = { 'idempotency-replayed': 'true' };

export const handler = endpointWithBody(userBody, readIdempotencyKey, async ({ body, parameters: key }, event) => {
  const fields = pickFields(body);
  const origin = originOf(event);
  if (key === undefined) return createdUser(event, await users.create(fields, origin));
  const { user, isReplayed } = await users.createOnce({ key, fields }, origin);
  return createdUser(event, user, isReplayed ? REPLAYED : {});
});
