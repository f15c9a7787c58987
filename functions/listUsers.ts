import { COLLECTION_TYPES, clientHas } from '../lib/http/collectionTags.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readQuery } from '../lib/http/request/queries.ts';
import { okBatch, okPage } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = endpoint(
  (event) => readQuery(event, LISTINGS.listUsers),
  async (query, event) =>
    'after' in query
      ? okBatch(event, query, await listing.after(query, clientHas(event)))
      : okPage(event, query, await listing.page(query, clientHas(event))),
  COLLECTION_TYPES,
);
