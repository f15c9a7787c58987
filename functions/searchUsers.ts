import { clientHas } from '../lib/http/collectionTags.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readPageQuery } from '../lib/http/request/queries.ts';
import { COLLECTION_TYPES, okPage } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = endpoint(
  (event) => readPageQuery(event, LISTINGS.searchUsers),
  async (query, event, context) => okPage(event, context, query, await listing.page(query, clientHas(event))),
  COLLECTION_TYPES,
);
