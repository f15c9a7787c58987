import { readFeed } from '../lib/changes/shown.ts';
import { readFeedQuery } from '../lib/http/request/changes.ts';
import { okFeed } from '../lib/http/response/changes.ts';
import { endpoint } from '../lib/rest/endpoint.ts';
import { database } from '../lib/roots/database.ts';

export const handler = endpoint(readFeedQuery, async (query, event) =>
  okFeed(event, query, await readFeed(database, query)),
);
