import { endpoint } from '../lib/http/endpoint.ts';
import { readFeedQuery } from '../lib/http/request/changes.ts';
import { okFeed } from '../lib/http/response/changes.ts';
import { database } from '../lib/roots/database.ts';
import { readFeed } from '../lib/users/changes/shown.ts';

export const handler = endpoint(readFeedQuery, async (query, event) =>
  okFeed(event, query, await readFeed(database, query)),
);
