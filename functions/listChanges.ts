import { readFeed } from '../lib/changes/shown.ts';
import { endpoint } from '../lib/http/api.ts';
import { feedQuery } from '../lib/http/queries/changes.ts';
import { okFeed } from '../lib/http/response/changes.ts';
import { database } from '../lib/roots/database.ts';

export const handler = endpoint(feedQuery, async (query, event) =>
  okFeed(event, query, await readFeed(database, query)),
);
