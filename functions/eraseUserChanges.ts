import { endpoint, NO_CONTENT } from '../lib/http/endpoint.ts';
import { readPastId } from '../lib/http/request/id.ts';
import { noContent } from '../lib/http/response/responses.ts';
import { database } from '../lib/roots/database.ts';
import { eraseHistory } from '../lib/users/changes/history.ts';

export const handler = endpoint(
  readPastId,
  async (id) => {
    await eraseHistory(database, id);
    return noContent();
  },
  NO_CONTENT,
);
