import type { APIGatewayProxyEvent } from 'aws-lambda';
import { badParameter, ServiceError } from '../../errors.ts';

/**
 * The most characters of path, header fields and parameters together, as JSON, in all the forms that an event has of them. API Gateway takes
 * 10,240 bytes of a request line and fields: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html. What matches
 * patterns, normalises or folds comes after this check.
 */
const MAX_CHARACTERS = 65_536;

/** An event, and whether the texts of its request were too long, which are not in it any more. */
type Shortened = APIGatewayProxyEvent & { isTooLong?: true };

/** Nobody reads texts that are too long, not even to refuse or to log them. */
export function withoutLongTexts(event: APIGatewayProxyEvent): Shortened {
  const { body: _, requestContext, ...texts } = event;
  if (JSON.stringify([texts, requestContext?.path]).length <= MAX_CHARACTERS) return event;
  return {
    ...event,
    ...{ path: '/', pathParameters: null, requestContext: { ...requestContext, path: '/' } },
    ...{ headers: {}, multiValueHeaders: {}, queryStringParameters: null, multiValueQueryStringParameters: null },
    isTooLong: true,
  };
}

/** API Gateway decodes parameters, and puts U+FFFD in place of bytes that are not UTF-8. What was sent is lost then. */
const isReplaced = (text: unknown): boolean =>
  typeof text === 'string' && (text.includes('\uFFFD') || !text.isWellFormed());

/** @throws {ServiceError} 400 for texts that are too long, or a parameter that is not UTF-8 */
export function refuseTexts({ isTooLong, multiValueQueryStringParameters }: Shortened): void {
  if (isTooLong) throw badParameter('The path, the header fields and the query are too long');
  const found = Object.entries(multiValueQueryStringParameters ?? {}).find((entry) => entry.flat().some(isReplaced));
  if (!found) return;
  const message = `${found[0].toWellFormed()} must be UTF-8, and U+FFFD stands for bytes that are not`;
  throw new ServiceError('wrong-encoding', message);
}
