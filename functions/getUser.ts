import { endpoint } from '../lib/http/endpoint.ts';
import { readUserQuery } from '../lib/http/request/pastUser.ts';
import { okIfModified } from '../lib/http/response/responses.ts';
import { database } from '../lib/roots/database.ts';
import { readUserAt } from '../lib/users/changes/past.ts';
import { readUser } from '../lib/users/read.ts';

export const handler = endpoint(readUserQuery, async ({ id, moment, members }, event) =>
  okIfModified(event, await (moment === undefined ? readUser(database, id) : readUserAt(database, { id, moment })), {
    members,
  }),
);
