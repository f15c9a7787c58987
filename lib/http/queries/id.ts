/** Ids of users, in the path or in an operation of a batch. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { userError, userNotFound } from '../../users/errors.ts';
import { MAX_ID } from '../../users/ids.ts';
import { helpAt } from '../hints.ts';
import { toInt64 } from '../parameters/parameter.ts';

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
