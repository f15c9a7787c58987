import { clientHas } from '../lib/http/collectionTags.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readQuery } from '../lib/http/request/queries.ts';
import { COLLECTION_TYPES, okBatch, okPage } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = endpoint(
  (event) => readQuery(event, LISTINGS.listUsers),
  async (query, event, context) =>
    'after' in query
      ? okBatch(event, context, query, await listing.after(query, clientHas(event)))
      : okPage(event, context, query, await listing.page(query, clientHas(event))),
  COLLECTION_TYPES,
);
