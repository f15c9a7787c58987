import { checkPreconditions } from '../lib/http/conditional.ts';
import { endpointWithBody } from '../lib/http/endpointWithBody.ts';
import { callerOf } from '../lib/http/request/caller.ts';
import { readId } from '../lib/http/request/id.ts';
import { userBody } from '../lib/http/request/userBody.ts';
import { okUser } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields, type User } from '../lib/users/user.ts';

export const handler = endpointWithBody(userBody, readId, async ({ body, parameters: id }, event) => {
  const change = (current: User) => {
    checkPreconditions(event, current);
    return pickFields(body);
  };
  return okUser(await users.update(id, change, callerOf(event)));
});
