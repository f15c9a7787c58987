import { endpointWithBody } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/parameters.ts';
import { ok } from '../lib/http/responses.ts';
import { userBody } from '../lib/http/userBody.ts';
import { users } from '../lib/users/index.ts';
import { pickFields, represent } from '../lib/users/user.ts';

export const handler = endpointWithBody(userBody, async (event, input) =>
  ok(represent(await users.update(readId(event), () => pickFields(input)))),
);
