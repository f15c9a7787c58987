import { clientHas } from '../lib/http/collectionTags.ts';
import { readCountsQuery } from '../lib/http/request/queries.ts';
import { okCounts } from '../lib/http/response/collections.ts';
import { endpoint } from '../lib/rest/endpoint.ts';
import { JSON_TYPE } from '../lib/rest/mediaTypes.ts';
import { listing } from '../lib/roots/listing.ts';

export const handler = endpoint(readCountsQuery, async (query, event) =>
  okCounts(event, query, await listing.counts(query, clientHas(event, JSON_TYPE))),
);
