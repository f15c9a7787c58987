import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { originOf } from '../../rest/index.ts';
import { badParameter } from '../../users/errors.ts';

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
