import { knownTo } from '../lib/http/conditional.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { LISTINGS } from '../lib/http/listings.ts';
import { readCursorQuery } from '../lib/http/request/queries.ts';
import { COLLECTION_TYPES, okBatch } from '../lib/http/response/collections.ts';
import { listing } from '../lib/users/index.ts';

export const handler = endpoint(async (event, context) => {
  const query = readCursorQuery(event, LISTINGS.listUsersByCursor);
  return okBatch(event, context, query, await listing.after(query, knownTo(event)));
}, COLLECTION_TYPES);
