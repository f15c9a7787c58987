import { endpoint } from '../lib/http/api.ts';
import { searchQuery } from '../lib/http/queries/lists.ts';
import { COLLECTION_TYPES, clientHas, okPage } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export { started } from '../lib/roots/listing.ts';

export const handler = endpoint(
  searchQuery,
  async (query, event) => okPage(event, query, await listing.page(query, clientHas(event))),
  COLLECTION_TYPES,
);
