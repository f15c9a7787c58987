import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { HOLDS_ALL_USERS } from '../lib/http/endpoint.ts';
import { searchQuery } from '../lib/http/queries/lists.ts';
import { COLLECTION_TYPES, clientHas, okPage } from '../lib/http/response/collections.ts';
import { pageOfUsers } from '../lib/openapi/description.ts';
import { listing } from '../lib/roots/listing.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users/search',
  scopes: ['users:read'],
  permissions: ['readLists'],
  settings: HOLDS_ALL_USERS,
  does: 'a page, by `status` and `keyword` alone',
  examples: [{ query: 'status=active&keyword=lee&sort=createdAt,desc' }],
};

export const about = (): OperationDescription => ({
  summary: 'Search users by status and last name',
  query: searchQuery,
  headers: ['UnlessChanged'],
  responses: pageOfUsers(),
});

export { started } from '../lib/roots/listing.ts';

export const handler = /* @__PURE__ */ endpoint(
  searchQuery,
  async (query, event) => okPage(event, query, await listing.page(query, clientHas(event))),
  COLLECTION_TYPES,
);
