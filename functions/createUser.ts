import { endpointWithBody } from '../lib/http/endpointWithBody.ts';
import { callerOf } from '../lib/http/request/caller.ts';
import { readIdempotencyKey } from '../lib/http/request/idempotencyKey.ts';
import { userBody } from '../lib/http/request/userBody.ts';
import { createdUser } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields } from '../lib/users/user.ts';

export const handler = endpointWithBody(userBody, readIdempotencyKey, async ({ body, parameters: key }, event) => {
  const fields = pickFields(body);
  const by = callerOf(event);
  const user = await (key === undefined ? users.create(fields, by) : users.createOnce({ key, fields }, by));
  return createdUser(event, user);
});
