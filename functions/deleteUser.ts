import { checkPreconditions } from '../lib/http/conditional.ts';
import { endpoint, NO_CONTENT } from '../lib/http/endpoint.ts';
import { originOf } from '../lib/http/request/caller.ts';
import { readId } from '../lib/http/request/id.ts';
import { noContent } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpoint(
  readId,
  async (id, event) => {
    await users.delete(id, (current) => checkPreconditions(event, current), originOf(event));
    return noContent();
  },
  NO_CONTENT,
);
