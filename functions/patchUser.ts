import { readId } from '../lib/http/request/id.ts';
import { patchBody } from '../lib/http/request/patch.ts';
import { originOf } from '../lib/rest/caller.ts';
import { checked } from '../lib/rest/conditional.ts';
import { endpointWithBody } from '../lib/rest/endpointWithBody.ts';
import { okUser } from '../lib/rest/responses.ts';
import { users } from '../lib/roots/users.ts';

export const handler = endpointWithBody(patchBody, readId, async ({ body: patch, parameters: id }, event) =>
  okUser(await users.update(id, checked(event, patch), originOf(event))),
);
