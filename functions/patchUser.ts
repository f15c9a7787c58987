import { checkPreconditions } from '../lib/http/conditional.ts';
import { endpointWithBody } from '../lib/http/endpointWithBody.ts';
import { readId } from '../lib/http/request/id.ts';
import { patchBody } from '../lib/http/request/patch.ts';
import { okUser } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpointWithBody(patchBody, readId, async ({ body: patch, parameters: id }, event) => {
  const user = await users.update(id, (current) => {
    checkPreconditions(event, current);
    return patch(current);
  });
  return okUser(user);
});
