import { endpointWithBody } from '../lib/http/endpoint.ts';
import { created } from '../lib/http/responses.ts';
import { userBody } from '../lib/http/userBody.ts';
import { users } from '../lib/users/index.ts';
import { pickFields, represent } from '../lib/users/user.ts';

export const handler = endpointWithBody(userBody, async (event, input) => {
  const user = await users.create(pickFields(input));
  return created(`${event.requestContext.path.replace(/\/$/, '')}/${user.id}`, represent(user));
});
