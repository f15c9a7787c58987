import { endpointWithBody } from '../lib/http/endpoint.ts';
import { readId } from '../lib/http/parameters.ts';
import { mergeInto, patchBody } from '../lib/http/patch.ts';
import { ok } from '../lib/http/responses.ts';
import { users } from '../lib/users/index.ts';
import { represent } from '../lib/users/user.ts';

export const handler = endpointWithBody(patchBody, async (event, patch) =>
  ok(represent(await users.update(readId(event), (current) => mergeInto(current, patch)))),
);
