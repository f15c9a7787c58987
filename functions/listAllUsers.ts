import { COLLECTION_TYPES, clientHas } from '../lib/http/collectionTags.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readStreamQuery } from '../lib/http/request/queries.ts';
import { okStream } from '../lib/http/response/collections.ts';
import { streamingEndpoint } from '../lib/rest/streaming.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = streamingEndpoint(
  (event) => readStreamQuery(event, LISTINGS.listAllUsers),
  async (query, event) => okStream(event, query, await listing.all(query, clientHas(event))),
  COLLECTION_TYPES,
);
