import { readId } from '../lib/http/request/id.ts';
import { originOf } from '../lib/rest/caller.ts';
import { checkPreconditions } from '../lib/rest/conditional.ts';
import { endpoint, NO_CONTENT } from '../lib/rest/endpoint.ts';
import { noContent } from '../lib/rest/responses.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpoint(
  readId,
  async (id, event) => {
    await users.delete(id, (current) => checkPreconditions(event, current), originOf(event));
    return noContent();
  },
  NO_CONTENT,
);
