import { COLLECTION_TYPES, okStream } from '../lib/http/collections.ts';
import { knownTo } from '../lib/http/conditional.ts';
import { ANY_FIELD, readOrder } from '../lib/http/sorting.ts';
import { streamingEndpoint } from '../lib/http/streaming.ts';
import { listing } from '../lib/users/index.ts';

export const handler = streamingEndpoint(
  async (event, context) => okStream(context, await listing.all(readOrder(event, ANY_FIELD), knownTo(event))),
  COLLECTION_TYPES,
);
