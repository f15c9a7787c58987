import { endpointWithBody } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/parameters/id.ts';
import { checked } from '../lib/http/request/checked.ts';
import { patchBody } from '../lib/http/request/patch.ts';
import { okUser } from '../lib/http/response/users.ts';
import { originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpointWithBody(patchBody, readId, async ({ body: patch, parameters: id }, event) =>
  okUser(await users.update(id, checked(event, patch), originOf(event))),
);
