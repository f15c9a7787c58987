import { eraseHistory } from '../lib/changes/history.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { readPastId } from '../lib/http/parameters/id.ts';
import { NO_CONTENT, noContent } from '../lib/rest/index.ts';
import { database } from '../lib/roots/database.ts';

export const handler = endpoint(
  readPastId,
  async (id) => {
    await eraseHistory(database, id);
    return noContent();
  },
  NO_CONTENT,
);
