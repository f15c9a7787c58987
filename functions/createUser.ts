import { endpointWithBody } from '../lib/http/endpointWithBody.ts';
import { readIdempotencyKey } from '../lib/http/request/idempotencyKey.ts';
import { userBody } from '../lib/http/request/userBody.ts';
import { createdUser } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields } from '../lib/users/user.ts';

export const handler = endpointWithBody(userBody, readIdempotencyKey, async ({ body, parameters: key }, event) => {
  const fields = pickFields(body);
  return createdUser(event, await (key === undefined ? users.create(fields) : users.createOnce({ key, fields })));
});
