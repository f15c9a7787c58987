import { endpoint } from '../lib/http/api.ts';
import { countsQuery } from '../lib/http/queries/lists.ts';
import { clientHas, okCounts, sendable } from '../lib/http/response/collections.ts';
import { MEDIA } from '../lib/rest/index.ts';
import { listing } from '../lib/roots/listing.ts';

export { started } from '../lib/roots/listing.ts';

export const handler = endpoint(countsQuery, async (query, event) =>
  okCounts(event, query, await listing.counts(sendable(query), clientHas(event, MEDIA.json))),
);
