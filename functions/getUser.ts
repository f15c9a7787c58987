import { readUserAt } from '../lib/changes/history.ts';
import { endpoint } from '../lib/http/api.ts';
import { userQuery } from '../lib/http/queries/user.ts';
import { okIfModified } from '../lib/http/response/users.ts';
import { database } from '../lib/roots/database.ts';
import { readUser } from '../lib/users/database.ts';

export const handler = endpoint(userQuery, async ({ id, moment, members }, event) =>
  okIfModified(event, await (moment === undefined ? readUser(database, id) : readUserAt(database, { id, moment })), {
    members,
  }),
);
