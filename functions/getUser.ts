import { endpoint } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/parameters.ts';
import { ok } from '../lib/http/responses.ts';
import { users } from '../lib/users/index.ts';
import { represent } from '../lib/users/user.ts';

export const handler = endpoint(async (event) => ok(represent(await users.get(readId(event)))));
