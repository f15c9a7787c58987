import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { HOLDS_ALL_USERS } from '../lib/http/endpoint.ts';
import { cursorQuery } from '../lib/http/queries/lists.ts';
import { COLLECTION_TYPES, clientHas, okBatch } from '../lib/http/response/collections.ts';
import { collection, usersSchema } from '../lib/openapi/description.ts';
import { listing } from '../lib/roots/listing.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users/cursor',
  scopes: ['users:read'],
  permissions: ['readLists', 'walkIndexes'],
  settings: HOLDS_ALL_USERS,
  does: 'up to 20 users with an id above `cursor`',
  examples: [{ query: 'cursor=0' }, { title: 'The same with a filter', query: 'cursor=0&status=active' }],
};

export const about = (): OperationDescription => ({
  summary: 'List users batch by batch',
  description:
    'Reads all users reliably while others write: use the last id of a batch as the next cursor. `page`, `size` and `sort` are refused (400), with or without a cursor.',
  query: cursorQuery,
  headers: ['UnlessChanged'],
  responses: collection('Users by ascending id.', usersSchema(20), 'Link'),
});

export { started } from '../lib/roots/listing.ts';

export const handler = /* @__PURE__ */ endpoint(
  cursorQuery,
  async (query, event) => okBatch(event, query, await listing.after(query, clientHas(event))),
  COLLECTION_TYPES,
);
