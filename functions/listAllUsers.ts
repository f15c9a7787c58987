import { endpoint } from '../lib/http/endpoint.ts';
import { MAX_USERS_AT_ONCE, okWithin } from '../lib/http/responses.ts';
import { ANY_FIELD, readOrder } from '../lib/http/sorting.ts';
import { listing } from '../lib/users/index.ts';
import { represent } from '../lib/users/user.ts';

export const handler = endpoint(async (event) => {
  const users = await listing.all(readOrder(event, ANY_FIELD), MAX_USERS_AT_ONCE);
  return okWithin(users.map(represent));
});
