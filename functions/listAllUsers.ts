import { COLLECTION_TYPES, clientHas } from '../lib/http/collectionTags.ts';
import { streamingEndpoint } from '../lib/http/endpoint.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { streamQuery } from '../lib/http/request/queries.ts';
import { okStream } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export { started } from '../lib/roots/listing.ts';

export const handler = streamingEndpoint(
  streamQuery(LISTINGS.listAllUsers),
  async (query, event) => okStream(event, query, await listing.all(query, clientHas(event))),
  COLLECTION_TYPES,
);
