import type { APIGatewayProxyEvent } from 'aws-lambda';
import { badParameter, ServiceError, userNotFound } from '../../errors.ts';
import { MAX_ID } from '../../users/ids.ts';

export const INTEGER = /^-?\d+$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** @throws {ServiceError} 400 when the text is not a 64-bit integer */
export function toInt64(text: string, name: string): bigint {
  const value = INTEGER.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value < MIN_INT64 || value > MAX_INT64) {
    throw badParameter(`${name} must be a 64-bit integer`);
  }
  return value;
}

/**
 * The id in the path, of a user who need not exist.
 *
 * @throws {ServiceError} 400 when no user can have it
 */
export function readNewId(event: APIGatewayProxyEvent): number {
  const id = toInt64(event.pathParameters?.id ?? '', 'id');
  if (id < 1n || id > BigInt(MAX_ID)) throw new ServiceError('impossible-id', `No user can have the id ${id} yet`);
  return Number(id);
}

/**
 * The id in the path of what is kept of a user, who need not have been. 0 stands for ids that no user can have.
 *
 * @throws {ServiceError} 400 when it is not a 64-bit integer
 */
export function readPastId(event: APIGatewayProxyEvent): number {
  const id = toInt64(event.pathParameters?.id ?? '', 'id');
  return id < 1n || id > BigInt(MAX_ID) ? 0 : Number(id);
}

/**
 * The id in the path.
 *
 * @throws {ServiceError} 400 when it is not a 64-bit integer, 404 when no user can have it
 */
export function readId(event: APIGatewayProxyEvent): number {
  const text = event.pathParameters?.id ?? '';
  const id = toInt64(text, 'id');
  if (id < 1n || id > BigInt(MAX_ID)) throw userNotFound(id);
  return Number(id);
}
