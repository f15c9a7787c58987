import { users } from '../lib/compositionRoot.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/request/parameters.ts';
import { okIfModified } from '../lib/http/response/responses.ts';

export const handler = endpoint(readId, async (id, event) => okIfModified(event, await users.get(id)));
