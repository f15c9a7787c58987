import { endpoint } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/parameters.ts';
import { okUnlessKnown } from '../lib/http/responses.ts';
import { users } from '../lib/users/index.ts';

export const handler = endpoint(async (event) => okUnlessKnown(event, await users.get(readId(event))));
