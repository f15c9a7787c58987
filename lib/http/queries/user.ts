/** The queries of endpoints of one user. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { userInput } from '../../../schemas/user.ts';
import type { PastQuery } from '../../changes/history.ts';
import { systemRuntime } from '../../ground/index.ts';
import { advised } from '../../rest/index.ts';
import { badParameter } from '../../users/errors.ts';
import { fields, type Shows } from '../parameters/fields.ts';
import { MOMENT_RULE, moment, parseMoment } from '../parameters/moments.ts';
import { type Parameter, query, readOptional } from '../parameters/parameter.ts';
import { CHANGE_MANY } from '../routes.ts';
import { readId } from './id.ts';

const at: Parameter<number | undefined> = {
  name: 'at',
  says: 'The user as of this moment. Needs the scope `users:audit` as well.',
  schema: moment,
  read(event) {
    const text = readOptional(event, 'at');
    const time = text === undefined ? text : parseMoment(text, systemRuntime.now());
    if (text !== undefined && time === undefined) throw badParameter(`at ${MOMENT_RULE}`);
    return time;
  },
};

/** A user, perhaps as of a moment. @throws {ServiceError} 400 for an id or an `at` that is not valid, 404 for an id that no user can have */
function readUser(event: APIGatewayProxyEvent): Partial<PastQuery> & Pick<PastQuery, 'id'> & Shows {
  const id = readId(event);
  const time = at.read(event);
  return { id, ...fields.read(event), ...(time !== undefined && { moment: time }) };
}

export const userQuery = /* @__PURE__ */ query([at, fields], readUser);

/** The external id of the user whom a PUT creates or replaces. */
const externalId: Parameter<string> = {
  name: 'externalId',
  says: 'The external id of the user.',
  schema: { ...userInput.properties.externalId, type: 'string' },
  isRequired: true,
  component: 'UpsertExternalId',
  read(event) {
    const value = readOptional(event, 'externalId');
    if (value === undefined) {
      const message = 'externalId is required: the external id of the user';
      throw badParameter(message, advised(message, CHANGE_MANY));
    }
    return value;
  },
};

export const externalIdQuery = /* @__PURE__ */ query([externalId], (event) => externalId.read(event));
