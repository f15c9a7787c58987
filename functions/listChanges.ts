import { readFeed } from '../lib/changes/shown.ts';
import { type EndpointRoute, endpoint, type OperationDescription } from '../lib/http/api.ts';
import { feedQuery } from '../lib/http/queries/changes.ts';
import { okFeed } from '../lib/http/response/changes.ts';
import { jsonResponse } from '../lib/openapi/description.ts';
import { database } from '../lib/roots/database.ts';

export const route: EndpointRoute = {
  at: 'GET /api/users/changes',
  scopes: ['users:audit'],
  permissions: ['readChanges'],
  does: '[what happened](changes.md) to all users',
  takes: 'before type',
  examples: [{ title: 'What happened to all users, from the oldest change that is kept', query: 'size=20' }],
};

export const about = (): OperationDescription => ({
  summary: 'Follow what happens to all users',
  description:
    'Each change comes once, in an order that never changes, and those of a user in the order of versions. Ask again with `next` as `after`: no change is skipped. You are at the end when `next` is the place that you sent. With `before` the newest comes first: ask again with `next` as `before`, until it is absent. `by`, `type` and `id` choose changes. A request looks at no more than 1,000, so a page may be short, or empty, and have a `next`. A change appears some fifteen seconds after the write.',
  query: feedQuery,
  responses: { 200: jsonResponse('Changes.', 'ChangePage', 'Link of changes') },
  errors: [404, 410],
});

export const handler = /* @__PURE__ */ endpoint(feedQuery, async (query, event) =>
  okFeed(event, query, await readFeed(database, query)),
);
