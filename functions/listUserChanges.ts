import { readHistory } from '../lib/changes/history.ts';
import { endpoint } from '../lib/http/api.ts';
import { historyQuery } from '../lib/http/queries/changes.ts';
import { okHistory } from '../lib/http/response/changes.ts';
import { database } from '../lib/roots/database.ts';

export const handler = endpoint(historyQuery, async (query, event) =>
  okHistory(event, await readHistory(database, query)),
);
