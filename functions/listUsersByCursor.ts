import { COLLECTION_TYPES, clientHas } from '../lib/http/collectionTags.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readCursorQuery } from '../lib/http/request/queries.ts';
import { okBatch } from '../lib/http/response/collections.ts';
import { endpoint } from '../lib/rest/endpoint.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = endpoint(
  (event) => readCursorQuery(event, LISTINGS.listUsersByCursor),
  async (query, event) => okBatch(event, query, await listing.after(query, clientHas(event))),
  COLLECTION_TYPES,
);
