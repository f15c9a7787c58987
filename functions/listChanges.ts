import { endpoint } from '../lib/http/endpoint.ts';
import { readFeedQuery } from '../lib/http/request/changes.ts';
import { okFeed } from '../lib/http/response/changes.ts';
import { changes } from '../lib/roots/changes.ts';

export const handler = endpoint(readFeedQuery, async (query, event) => okFeed(event, query, await changes.feed(query)));
