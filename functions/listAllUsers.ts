import { COLLECTION_TYPES, okAll } from '../lib/http/collections.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { MAX_USERS_AT_ONCE, withinLimit } from '../lib/http/responses.ts';
import { ANY_FIELD, readOrder } from '../lib/http/sorting.ts';
import { listing } from '../lib/users/index.ts';

export const handler = endpoint(async (event, context) => {
  const users = await listing.all(readOrder(event, ANY_FIELD), MAX_USERS_AT_ONCE);
  return withinLimit(okAll(context, users));
}, COLLECTION_TYPES);
