import { endpoint } from '../lib/http/endpoint.ts';
import { readHistoryQuery } from '../lib/http/request/changes.ts';
import { okHistory } from '../lib/http/response/changes.ts';
import { database } from '../lib/roots/database.ts';
import { readHistory } from '../lib/users/changes/history.ts';

export const handler = endpoint(readHistoryQuery, async (query, event) =>
  okHistory(event, await readHistory(database, query)),
);
