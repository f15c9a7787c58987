import { COLLECTION_TYPES, clientHas } from '../lib/http/collectionTags.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readPageQuery } from '../lib/http/request/queries.ts';
import { okPage } from '../lib/http/response/collections.ts';
import { endpoint } from '../lib/rest/endpoint.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = endpoint(
  (event) => readPageQuery(event, LISTINGS.searchUsers),
  async (query, event) => okPage(event, query, await listing.page(query, clientHas(event))),
  COLLECTION_TYPES,
);
