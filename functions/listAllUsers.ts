import { COLLECTION_TYPES, okStream } from '../lib/http/collections.ts';
import { ANY_FIELD, readOrder } from '../lib/http/sorting.ts';
import { streamingEndpoint } from '../lib/http/streaming.ts';
import { listing } from '../lib/users/index.ts';

/** At some 500 bytes a user in memory, the function has room for them several times over. */
const MAX_SORTED_IN_MEMORY = 50_000;

export const handler = streamingEndpoint(async (event, context) => {
  const { users, total } = await listing.all(readOrder(event, ANY_FIELD), MAX_SORTED_IN_MEMORY);
  return okStream(context, users, total);
}, COLLECTION_TYPES);
