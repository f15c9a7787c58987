import { endpointWithBody } from '../lib/http/api.ts';
import { externalIdQuery } from '../lib/http/queries/user.ts';
import { userBody, withExternalId } from '../lib/http/request/userBody.ts';
import { createdUser, okUser } from '../lib/http/response/users.ts';
import { checkPreconditions, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields, type User } from '../lib/users/user.ts';

/** Creates or replaces the user with an external id. */
export const handler = endpointWithBody(userBody, externalIdQuery, async ({ body, parameters: externalId }, event) => {
  const fields = pickFields(withExternalId(body, externalId));
  const check = (current: User | undefined) => checkPreconditions(event, current);
  const { user, isNew } = await users.upsert(externalId, fields, check, originOf(event));
  return isNew ? createdUser(event, user) : okUser(user);
});
