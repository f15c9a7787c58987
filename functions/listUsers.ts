import { listing } from '../lib/compositionRoot.ts';
import { clientHas } from '../lib/http/conditional.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { asksForCursor } from '../lib/http/request/parameters.ts';
import { readCursorQuery, readPageQuery } from '../lib/http/request/queries.ts';
import { COLLECTION_TYPES, okBatch, okPage } from '../lib/http/response/collections.ts';

export const handler = endpoint(async (event, context) => {
  if (asksForCursor(event)) {
    const query = readCursorQuery(event, LISTINGS.listUsers);
    return okBatch(event, context, query, await listing.after(query, clientHas(event)));
  }
  const query = readPageQuery(event, LISTINGS.listUsers);
  return okPage(event, context, query, await listing.page(query, clientHas(event)));
}, COLLECTION_TYPES);
