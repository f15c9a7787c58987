import { endpointWithBody } from '../lib/http/endpoint.ts';
import { readIdempotencyKey } from '../lib/http/parameters.ts';
import { createdUser } from '../lib/http/responses.ts';
import { userBody } from '../lib/http/userBody.ts';
import { users } from '../lib/users/index.ts';
import { pickFields } from '../lib/users/user.ts';

export const handler = endpointWithBody(userBody, async (event, input) => {
  const fields = pickFields(input);
  const key = readIdempotencyKey(event);
  return createdUser(event, await (key === undefined ? users.create(fields) : users.createOnce({ key, fields })));
});
