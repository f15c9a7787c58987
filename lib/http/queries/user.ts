/** The inputs of endpoints of one user, and of one edit: names in the path, the query, and the Idempotency-Key. */
import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { editName } from '../../../schemas/changes.ts';
import { userInput } from '../../../schemas/user.ts';
import type { PastQuery } from '../../changes/history.ts';
import { editNotFound } from '../../edits/log.ts';
import { systemRuntime } from '../../ground/index.ts';
import { advised, originOf } from '../../rest/index.ts';
import { badParameter, userError, userNotFound } from '../../users/errors.ts';
import { MAX_ID } from '../../users/ids.ts';
import { helpAt } from '../hints.ts';
import { fields, type Shows } from '../parameters/fields.ts';
import { MOMENT_RULE, moment, parseMoment } from '../parameters/moments.ts';
import { type Parameter, query, readOptional, toInt64 } from '../parameters/parameter.ts';
import { CHANGE_MANY } from '../routes.ts';

/** @throws {ServiceError} 400 when the text is not a 64-bit integer */
function toId(text: string, ifImpossible: (id: bigint) => number, adviceOf?: () => string | undefined): number {
  const id = toInt64(text, 'id', adviceOf);
  return id < 1n || id > BigInt(MAX_ID) ? ifImpossible(id) : Number(id);
}

const noUser = (id: bigint): never => {
  throw userNotFound(id);
};

const impossible = (id: bigint): never => {
  throw userError('impossible-id', `No user can have the id ${id} yet`);
};

/** The id in the path. A word in its place was meant for a path that is not there: problem details say what is. */
const inPath = (event: APIGatewayProxyEvent, ifImpossible: (id: bigint) => number): number =>
  toId(event.pathParameters?.id ?? '', ifImpossible, () => helpAt(event));

/** @throws {ServiceError} 400 when it is not a 64-bit integer, 404 when no user can have it */
export const toUserId = (text: string): number => toId(text, noUser);

/** The id of a user who need not exist. @throws {ServiceError} 400 when no user can have it */
export const toNewId = (text: string): number => toId(text, impossible);

/** The id in the path of what is kept of a user, who need not have been. 0 stands for ids that no user can have. */
export const readPastId = (event: APIGatewayProxyEvent): number => inPath(event, () => 0);

/** The id in the path. @throws {ServiceError} as above */
export const readId = (event: APIGatewayProxyEvent): number => inPath(event, noUser);
export const readNewId = (event: APIGatewayProxyEvent): number => inPath(event, impossible);

/** The name of an edit in the path. @throws {ServiceError} 404 when no edit can have it */
export function readEditName({ pathParameters }: APIGatewayProxyEvent): string {
  const name = pathParameters?.edit ?? '';
  if (name.length > editName.maxLength || !new RegExp(editName.pattern).test(name))
    throw editNotFound(name.slice(0, editName.maxLength));
  return name;
}

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

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/, quoted or not. Two callers may choose the
 * same key, so the caller becomes a part of it.
 *
 * @throws {ServiceError} 400 when it is empty, longer than 255 characters, or not all visible ASCII
 */
export function readIdempotencyKey(event: APIGatewayProxyEvent): string | undefined {
  const field = event.headers['idempotency-key']?.trim();
  if (field === undefined) return undefined;
  const key = /^"(.*)"$/.exec(field)?.[1] ?? field;
  if (!IDEMPOTENCY_KEY.test(key)) throw badParameter('Idempotency-Key must be 1 to 255 visible ASCII characters');
  const { by: caller } = originOf(event);
  return caller === undefined ? key : createHash('sha256').update(`${caller}\0${key}`).digest('base64url');
}

/** "wait=5", the preference of a client that wants an answer within some seconds: https://www.rfc-editor.org/rfc/rfc7240#section-4.3 */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})\b/i;

const SECOND_MS = 1_000;

/** How long a call of an edit works at most, in milliseconds: a second or longer. Undefined: the client says nothing of it. */
export function readWait({ headers }: APIGatewayProxyEvent): number | undefined {
  const seconds = WAIT.exec(headers.prefer ?? '')?.[1];
  return seconds === undefined ? undefined : Math.max(1, Number(seconds)) * SECOND_MS;
}
