import { endpointWithBody } from '../lib/http/endpoint.ts';
import { createdUser } from '../lib/http/responses.ts';
import { userBody } from '../lib/http/userBody.ts';
import { users } from '../lib/users/index.ts';
import { pickFields } from '../lib/users/user.ts';

export const handler = endpointWithBody(userBody, async (event, input) =>
  createdUser(event, await users.create(pickFields(input))),
);
