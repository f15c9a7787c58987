import { clientHas } from '../lib/http/collectionTags.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { JSON_TYPE } from '../lib/http/mediaTypes.ts';
import { readCountsQuery } from '../lib/http/request/queries.ts';
import { okCounts } from '../lib/http/response/collections.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = endpoint(readCountsQuery, async (query, event) => {
  // They have one type, whatever else the client takes of a list.
  const asked = { ...event, headers: { ...event.headers, accept: JSON_TYPE } };
  return okCounts(asked, await listing.counts(query, clientHas(asked)));
});
