import { eraseHistory } from '../lib/changes/history.ts';
import { readPastId } from '../lib/http/request/id.ts';
import { endpoint, NO_CONTENT } from '../lib/rest/endpoint.ts';
import { noContent } from '../lib/rest/responses.ts';
import { database } from '../lib/roots/database.ts';

export const handler = endpoint(
  readPastId,
  async (id) => {
    await eraseHistory(database, id);
    return noContent();
  },
  NO_CONTENT,
);
