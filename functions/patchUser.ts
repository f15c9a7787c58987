import { checkPreconditions } from '../lib/http/conditional.ts';
import { endpointWithBody } from '../lib/http/endpointWithBody.ts';
import { callerOf } from '../lib/http/request/caller.ts';
import { readId } from '../lib/http/request/id.ts';
import { patchBody } from '../lib/http/request/patch.ts';
import { okUser } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';
import type { User } from '../lib/users/user.ts';

export const handler = endpointWithBody(patchBody, readId, async ({ body: patch, parameters: id }, event) => {
  const change = (current: User) => {
    checkPreconditions(event, current);
    return patch(current);
  };
  return okUser(await users.update(id, change, callerOf(event)));
});
