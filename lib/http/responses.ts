import type { APIGatewayProxyResult } from 'aws-lambda';
import { badRequest } from '../errors.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** What Lambda lets a buffered answer have, less the envelope around the body: 6 MB − 0.3 MB. */
const MAX_ANSWER_BYTES = 5_990_000;

/** At 200 bytes, which is what a user has, an answer is then about 4 MB; the function holds twice that. */
export const MAX_USERS_AT_ONCE = 20_000;

export const ok = (body: object): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: JSON_TYPE,
  body: JSON.stringify(body),
});

/** @throws {ServiceError} 400 when the answer is larger than Lambda can give */
export function okWithin(body: object): APIGatewayProxyResult {
  const answer = ok(body);
  if (Buffer.byteLength(answer.body) > MAX_ANSWER_BYTES) {
    throw badRequest(
      `All users together are more than ${MAX_ANSWER_BYTES} bytes: use /api/users?cursor=0, batch by batch`,
    );
  }
  return answer;
}

export const created = (location: string, body: object): APIGatewayProxyResult => ({
  statusCode: 201,
  headers: { ...JSON_TYPE, location },
  body: JSON.stringify(body),
});

export const noContent = (): APIGatewayProxyResult => ({ statusCode: 204, body: '' });
