import { COLLECTION_TYPES, okStream } from '../lib/http/collections.ts';
import { knownTo } from '../lib/http/conditional.ts';
import { LISTINGS } from '../lib/http/listings.ts';
import { readOrder } from '../lib/http/sorting.ts';
import { streamingEndpoint } from '../lib/http/streaming.ts';
import { listing } from '../lib/users/index.ts';

export const handler = streamingEndpoint(
  async (event, context) =>
    okStream(context, await listing.all(readOrder(event, LISTINGS.listAllUsers.sort), knownTo(event))),
  COLLECTION_TYPES,
);
