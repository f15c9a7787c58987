import { endpoint, NO_CONTENT } from '../lib/http/endpoint.ts';
import { readPastId } from '../lib/http/request/id.ts';
import { noContent } from '../lib/http/response/responses.ts';
import { changes } from '../lib/roots/changes.ts';

export const handler = endpoint(
  readPastId,
  async (id) => {
    await changes.erase(id);
    return noContent();
  },
  NO_CONTENT,
);
