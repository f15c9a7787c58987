import { readHistory } from '../lib/changes/history.ts';
import { readHistoryQuery } from '../lib/http/request/changes.ts';
import { okHistory } from '../lib/http/response/changes.ts';
import { endpoint } from '../lib/rest/endpoint.ts';
import { database } from '../lib/roots/database.ts';

export const handler = endpoint(readHistoryQuery, async (query, event) =>
  okHistory(event, await readHistory(database, query)),
);
