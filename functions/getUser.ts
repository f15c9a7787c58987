import { readUserAt } from '../lib/changes/past.ts';
import { readUserQuery } from '../lib/http/request/pastUser.ts';
import { endpoint } from '../lib/rest/endpoint.ts';
import { okIfModified } from '../lib/rest/responses.ts';
import { database } from '../lib/roots/database.ts';
import { readUser } from '../lib/users/read.ts';

export const handler = endpoint(readUserQuery, async ({ id, moment, members }, event) =>
  okIfModified(event, await (moment === undefined ? readUser(database, id) : readUserAt(database, { id, moment })), {
    members,
  }),
);
