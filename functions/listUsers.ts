import { endpoint } from '../lib/http/api.ts';
import { usersQuery } from '../lib/http/queries/lists.ts';
import { COLLECTION_TYPES, clientHas, okBatch, okPage, okWalk } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export { started } from '../lib/roots/listing.ts';

export const handler = endpoint(
  usersQuery,
  async ({ walk, cursor, page }, event) => {
    const isKnown = clientHas(event);
    if (walk) return okWalk(event, walk, await listing.walk(walk, isKnown));
    if (cursor) return okBatch(event, cursor, await listing.after(cursor, isKnown));
    return okPage(event, page, await listing.page(page, isKnown));
  },
  COLLECTION_TYPES,
);
