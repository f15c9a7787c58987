import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { HOLDS_ALL_USERS } from '../lib/http/endpoint.ts';
import { usersQuery, usersTake } from '../lib/http/queries/lists.ts';
import { COLLECTION_TYPES, clientHas, okBatch, okPage, okWalk } from '../lib/http/response/collections.ts';
import { pageOfUsers } from '../lib/openapi/description.ts';
import { listing } from '../lib/roots/listing.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users',
  scopes: ['users:read'],
  permissions: ['readLists', 'walkIndexes'],
  settings: HOLDS_ALL_USERS,
  does: 'a page of users; with `after`, [a walk](#lists)',
  elsewhere: 'search find query lookup filter filters cursor',
  there: 'GET /api/users finds users by parameters, such as q=ann, status=active or name.startsWith=Ann',
  takes: 'page size sort fields cursor after',
  examples: [
    {
      query:
        'page=0&size=20&sort=lastName,desc&status=active&country=DE&keyword=le&age.gte=18&email.startsWith=ann&createdAt.gte=2026-11-01',
    },
    {
      title: 'List the users with a name, of an age, who have an e-mail; a parameter that is not known is ignored',
      query: 'firstName=ann&lastName=lee&name=ann%20lee&age=30&email.missing=false&unknown=1',
      headers: { Prefer: 'handling=lenient' },
    },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'List users page by page',
  description:
    'Filters are combined by AND. ' +
    'With the parameter `cursor`, a number, it responds as `/api/users/cursor` does, with an array instead of a page, and refuses `page`, `size` and `sort` (400). ' +
    'With `after` it responds with an array of at most `size` users, for which this document has no schema, and refuses `page`, `cursor`, and an order of more than four properties.',
  query: usersTake,
  headers: ['UnlessChanged'],
  responses: pageOfUsers(),
});

export { started } from '../lib/roots/listing.ts';

export const handler = /* @__PURE__ */ endpoint(
  usersQuery,
  async ({ walk, cursor, page }, event) => {
    const isKnown = clientHas(event);
    if (walk) return okWalk(event, walk, await listing.walk(walk, isKnown));
    if (cursor) return okBatch(event, cursor, await listing.after(cursor, isKnown));
    return okPage(event, page, await listing.page(page, isKnown));
  },
  COLLECTION_TYPES,
);
