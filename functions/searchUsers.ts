import { COLLECTION_TYPES, clientHas } from '../lib/http/collectionTags.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { pageQuery } from '../lib/http/request/queries.ts';
import { okPage } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export { started } from '../lib/roots/listing.ts';

export const handler = endpoint(
  pageQuery(LISTINGS.searchUsers),
  async (query, event) => okPage(event, query, await listing.page(query, clientHas(event))),
  COLLECTION_TYPES,
);
