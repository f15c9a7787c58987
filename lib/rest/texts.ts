import type { APIGatewayProxyEvent } from 'aws-lambda';
import { httpError } from './errors.ts';

/** API Gateway decodes parameters, and puts U+FFFD in place of bytes that are not UTF-8. These bytes are lost then. */
const isReplaced = (text: unknown): boolean =>
  typeof text === 'string' && (text.includes('\uFFFD') || !text.isWellFormed());

/** @throws {ServiceError} 400 for a parameter that is not UTF-8 */
export function refuseTexts({ multiValueQueryStringParameters }: APIGatewayProxyEvent): void {
  const found = Object.entries(multiValueQueryStringParameters ?? {}).find((entry) => entry.flat().some(isReplaced));
  if (!found) return;
  const message = `${found[0].toWellFormed()} must be UTF-8, and U+FFFD stands for bytes that are not`;
  throw httpError('wrong-encoding', message);
}
