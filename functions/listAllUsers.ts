import { type EndpointRoute, type OperationDescription, streamingEndpoint } from '../lib/http/api.ts';
import { streamQuery } from '../lib/http/queries/lists.ts';
import { COLLECTION_TYPES, clientHas, okStream } from '../lib/http/response/collections.ts';
import { collection, usersSchema } from '../lib/openapi/description.ts';
import { listing } from '../lib/roots/listing.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users/all',
  scopes: ['users:read'],
  isUntimed: true,
  permissions: ['readLists'],
  // It streams up to the 15 minutes of API Gateway and Lambda, also when its client has gone: nothing tells a function.
  settings: { memorySize: '${param:listMemory}', timeout: 900 },
  trigger: { timeoutInMillis: 900_000, response: { transferMode: 'STREAM' } },
  does: 'all users who match, streamed',
  elsewhere: 'all export exports download dump backup report csv xlsx ndjson stream list',
  there: 'GET /api/users/all has all users, as CSV with Accept: text/csv',
  examples: [
    { query: 'sort=name' },
    {
      title: 'The same with some members, as CSV; or as NDJSON: application/x-ndjson',
      query: 'sort=name&fields=name,email',
      headers: { Accept: 'text/csv' },
    },
  ],
};

export const about = (): OperationDescription => ({
  summary: 'Stream all users',
  description: 'Filters are combined by AND. All users are of one state, however long the stream takes.',
  query: streamQuery,
  headers: ['UnlessChanged'],
  responses: collection('Every matching user, in order.', usersSchema(), 'X-Total-Count'),
});

export { started } from '../lib/roots/listing.ts';

export const handler = /* @__PURE__ */ streamingEndpoint(
  streamQuery,
  async (query, event) => okStream(event, query, await listing.all(query, clientHas(event))),
  COLLECTION_TYPES,
);
