import { endpoint } from '../lib/http/api.ts';
import { cursorQuery } from '../lib/http/queries/lists.ts';
import { COLLECTION_TYPES, clientHas, okBatch } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export { started } from '../lib/roots/listing.ts';

export const handler = endpoint(
  cursorQuery,
  async (query, event) => okBatch(event, query, await listing.after(query, clientHas(event))),
  COLLECTION_TYPES,
);
