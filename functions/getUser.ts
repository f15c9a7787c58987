import { endpoint } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/request/parameters.ts';
import { okUnlessKnown } from '../lib/http/response/responses.ts';
import { users } from '../lib/users/index.ts';

export const handler = endpoint(async (event) => okUnlessKnown(event, await users.get(readId(event))));
