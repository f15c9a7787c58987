import { endpoint } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/request/id.ts';
import { okIfModified } from '../lib/http/response/responses.ts';
import { database } from '../lib/roots/database.ts';
import { readUser } from '../lib/users/read.ts';

export const handler = endpoint(readId, async (id, event) => okIfModified(event, await readUser(database, id)));
