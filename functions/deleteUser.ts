import { users } from '../lib/compositionRoot.ts';
import { checkPreconditions } from '../lib/http/conditional.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/request/parameters.ts';
import { noContent } from '../lib/http/response/responses.ts';

export const handler = endpoint(readId, async (id, event) => {
  await users.delete(id, (current) => checkPreconditions(event, current));
  return noContent();
});
