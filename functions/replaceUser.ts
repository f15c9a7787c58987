import { endpointWithBody } from '../lib/http/api.ts';
import { readId, readNewId } from '../lib/http/queries/user.ts';
import { checked, userBody } from '../lib/http/request/userBody.ts';
import { createdUserHere, okUser } from '../lib/http/response/users.ts';
import { checkPreconditions, mustCreate, originOf } from '../lib/rest/index.ts';
import { users } from '../lib/roots/users.ts';
import { pickFields } from '../lib/users/user.ts';

/** With `If-None-Match: *` it creates the user with this id. */
export const handler = endpointWithBody(
  userBody,
  (event) => (mustCreate(event) ? { newId: readNewId(event) } : { id: readId(event) }),
  async ({ body, parameters }, event) => {
    const fields = pickFields(body);
    if (parameters.id === undefined) {
      checkPreconditions(event, undefined);
      return createdUserHere(event, await users.createWithId(parameters.newId, fields, originOf(event)));
    }
    const change = checked(event, () => fields);
    return okUser(await users.update(parameters.id, change, originOf(event)));
  },
);
