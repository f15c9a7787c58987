import { readHistory } from '../lib/changes/history.ts';
import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { historyQuery, MAX_USER_CHANGES } from '../lib/http/queries/changes.ts';
import { okHistory } from '../lib/http/response/changes.ts';
import { jsonResponse } from '../lib/openapi/description.ts';
import { schemaRef } from '../lib/openapi/schemas.ts';
import { database } from '../lib/roots/database.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users/{id}/changes',
  scopes: ['users:audit'],
  permissions: ['readHistory'],
  does: 'what happened to one user',
  elsewhere:
    'changes history audit auditlogs log logs event events activity activities versions revisions timeline feed delta sync adminevents',
  there: 'GET /api/users/{id}/changes has what happened to a user, and GET /api/users/changes what happened to all',
  examples: [{ title: 'What happened to the user' }],
};

export const about = (): OperationDescription => ({
  summary: 'See what happened to a user',
  description: 'It has every write immediately. It is empty for a user who never was, or of whom no change is kept.',
  query: historyQuery,
  responses: {
    200: jsonResponse(
      'Changes, the newest first.',
      { type: 'array', items: schemaRef('UserChange'), maxItems: MAX_USER_CHANGES },
      'Link of changes',
    ),
  },
  errors: [404],
});

export const handler = /* @__PURE__ */ endpoint(historyQuery, async (query, event) =>
  okHistory(event, await readHistory(database, query)),
);
