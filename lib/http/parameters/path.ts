/** Names in a path: the id of a user, the name of an edit. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { editName } from '../../../schemas/changes.ts';
import { editNotFound } from '../../edits/log.ts';
import { userError, userNotFound } from '../../users/errors.ts';
import { MAX_ID } from '../../users/ids.ts';
import { toInt64 } from './parameter.ts';

/** @throws {ServiceError} 400 when the text is not a 64-bit integer */
function toId(text: string, ifImpossible: (id: bigint) => number): number {
  const id = toInt64(text, 'id');
  return id < 1n || id > BigInt(MAX_ID) ? ifImpossible(id) : Number(id);
}

const inPath = ({ pathParameters }: APIGatewayProxyEvent): string => pathParameters?.id ?? '';

/** @throws {ServiceError} 400 when it is not a 64-bit integer, 404 when no user can have it */
export const toUserId = (text: string): number =>
  toId(text, (id) => {
    throw userNotFound(id);
  });

/** The id of a user who need not exist. @throws {ServiceError} 400 when no user can have it */
export const toNewId = (text: string): number =>
  toId(text, (id) => {
    throw userError('impossible-id', `No user can have the id ${id} yet`);
  });

/** The id in the path of what is kept of a user, who need not have been. 0 stands for ids that no user can have. */
export const readPastId = (event: APIGatewayProxyEvent): number => toId(inPath(event), () => 0);

/** The id in the path. @throws {ServiceError} as above */
export const readId = (event: APIGatewayProxyEvent): number => toUserId(inPath(event));
export const readNewId = (event: APIGatewayProxyEvent): number => toNewId(inPath(event));

/** The name of an edit in the path. @throws {ServiceError} 404 when no edit can have it */
export function readEditName({ pathParameters }: APIGatewayProxyEvent): string {
  const name = pathParameters?.edit ?? '';
  if (name.length > editName.maxLength || !new RegExp(editName.pattern).test(name))
    throw editNotFound(name.slice(0, editName.maxLength));
  return name;
}
