import { endpoint } from '../lib/http/api.ts';
import { readId } from '../lib/http/queries/user.ts';
import { checkPreconditions, noContent, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpoint(
  readId,
  async (id, event) => {
    await users.delete(id, (current) => checkPreconditions(event, current), originOf(event));
    return noContent();
  },
  [],
);
