import { eraseHistory } from '../lib/changes/history.ts';
import { endpoint } from '../lib/http/api.ts';
import { readPastId } from '../lib/http/queries/user.ts';
import { noContent } from '../lib/rest/index.ts';
import { database } from '../lib/roots/database.ts';

export const handler = endpoint(
  readPastId,
  async (id) => {
    await eraseHistory(database, id);
    return noContent();
  },
  [],
);
