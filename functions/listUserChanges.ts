import { endpoint } from '../lib/http/endpoint.ts';
import { readHistoryQuery } from '../lib/http/request/changes.ts';
import { okHistory } from '../lib/http/response/changes.ts';
import { changes } from '../lib/roots/changes.ts';

export const handler = endpoint(readHistoryQuery, async (query, event) =>
  okHistory(event, await changes.history(query)),
);
