import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { HOLDS_ALL_USERS } from '../lib/http/endpoint.ts';
import { countsQuery } from '../lib/http/queries/lists.ts';
import { clientHas, okCounts, sendable } from '../lib/http/response/collections.ts';
import { jsonResponse, unchanged } from '../lib/openapi/description.ts';
import { MEDIA } from '../lib/rest/index.ts';
import { listing } from '../lib/roots/listing.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users/counts',
  scopes: ['users:read'],
  permissions: ['readLists'],
  settings: HOLDS_ALL_USERS,
  does: 'how many users have each value',
  elsewhere: 'counts count total totals size length number stats statistics aggregate facets',
  there: 'GET /api/users/counts counts users, and GET /api/users/counts?by=status those with each value',
  takes: 'by',
  examples: [{ query: 'by=status,country&status=active' }],
};

export const about = (): OperationDescription => ({
  summary: 'Count users by their values',
  description:
    'The number of users with each value of a field, or of two, under any filters. There are at most 1,000 counts, and some 2.5 MB of them, the largest first. The other users are counted together.',
  query: countsQuery,
  headers: ['UnlessChanged'],
  responses: {
    200: jsonResponse('Numbers of users.', 'ValueCounts', 'ETag of collections', 'Advice', 'X-Total-Count'),
    304: unchanged(),
  },
});

export { started } from '../lib/roots/listing.ts';

export const handler = /* @__PURE__ */ endpoint(countsQuery, async (query, event) =>
  okCounts(event, query, await listing.counts(sendable(query), clientHas(event, MEDIA.json))),
);
