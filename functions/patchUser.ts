import { endpointWithBody } from '../lib/http/api.ts';
import { readId } from '../lib/http/queries/user.ts';
import { patchBody } from '../lib/http/request/patch.ts';
import { checked } from '../lib/http/request/userBody.ts';
import { okUser } from '../lib/http/response/users.ts';
import { originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpointWithBody(patchBody, readId, async ({ body: patch, parameters: id }, event) =>
  okUser(await users.update(id, checked(event, patch), originOf(event))),
);
