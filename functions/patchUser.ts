import { checked } from '../lib/http/conditional.ts';
import { endpointWithBody } from '../lib/http/endpointWithBody.ts';
import { originOf } from '../lib/http/request/caller.ts';
import { readId } from '../lib/http/request/id.ts';
import { patchBody } from '../lib/http/request/patch.ts';
import { okUser } from '../lib/http/response/responses.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpointWithBody(patchBody, readId, async ({ body: patch, parameters: id }, event) =>
  okUser(await users.update(id, checked(event, patch), originOf(event))),
);
