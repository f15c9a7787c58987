import { readExternalId, withExternalId } from '../lib/http/request/externalId.ts';
import { userBody } from '../lib/http/request/userBody.ts';
import { originOf } from '../lib/rest/caller.ts';
import { checkUpsert } from '../lib/rest/conditional.ts';
import { endpointWithBody } from '../lib/rest/endpointWithBody.ts';
import { createdUser, okUser } from '../lib/rest/responses.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields } from '../lib/users/user.ts';

/** Creates or replaces the user with an external id. */
export const handler = endpointWithBody(userBody, readExternalId, async ({ body, parameters: externalId }, event) => {
  const fields = pickFields(withExternalId(body, externalId));
  const { user, isNew } = await users.upsert(externalId, fields, checkUpsert(event), originOf(event));
  return isNew ? createdUser(event, user) : okUser(user);
});
