import { checkPreconditions } from '../lib/http/conditional.ts';
import { endpointWithBody } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/parameters.ts';
import { okUser } from '../lib/http/responses.ts';
import { userBody } from '../lib/http/userBody.ts';
import { users } from '../lib/users/index.ts';
import { pickFields } from '../lib/users/user.ts';

export const handler = endpointWithBody(userBody, async (event, input) => {
  const user = await users.update(readId(event), (current) => {
    checkPreconditions(event, current);
    return pickFields(input);
  });
  return okUser(user);
});
