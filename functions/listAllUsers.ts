import { clientHas } from '../lib/http/collectionTags.ts';
import { LISTINGS } from '../lib/http/listingRules.ts';
import { readOrder } from '../lib/http/request/sorting.ts';
import { COLLECTION_TYPES, okStream } from '../lib/http/response/collections.ts';
import { streamingEndpoint } from '../lib/http/response/streaming.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = streamingEndpoint(
  (event) => readOrder(event, LISTINGS.listAllUsers.sort),
  async (order, event, context) => okStream(context, await listing.all(order, clientHas(event))),
  COLLECTION_TYPES,
);
