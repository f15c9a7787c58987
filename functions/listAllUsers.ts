import { streamingEndpoint } from '../lib/http/api.ts';
import { streamQuery } from '../lib/http/queries/lists.ts';
import { COLLECTION_TYPES, clientHas, okStream } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export { started } from '../lib/roots/listing.ts';

export const handler = streamingEndpoint(
  streamQuery,
  async (query, event) => okStream(event, query, await listing.all(query, clientHas(event))),
  COLLECTION_TYPES,
);
