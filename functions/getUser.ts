import { endpoint } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/request/id.ts';
import { okIfModified } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpoint(readId, async (id, event) => okIfModified(event, await users.get(id)));
