import type { APIGatewayProxyEvent } from 'aws-lambda';
import { badParameter, ServiceError } from '../../errors.ts';

/**
 * The most characters of a path, of all header fields, and of all parameters. API Gateway takes 10,240 bytes of a request line and
 * fields together, and adds some fields: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html. What matches
 * patterns, normalises or folds comes after this check.
 */
export const MAX_CHARACTERS = 16_384;

type Texts = Record<string, unknown> | null | undefined;

/** A value that is empty counts as well: a million of them take time, too. */
const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length + 1 : 1);

/** Stops where it is clear. */
function isLong(texts: Texts): boolean {
  let left = MAX_CHARACTERS;
  for (const [name, values] of Object.entries(texts ?? {})) {
    left -= name.length;
    for (const value of Array.isArray(values) ? values : [values]) {
      left -= lengthOf(value);
      if (left < 0) return true;
    }
  }
  return left < 0;
}

/** The part of a request that is too long to be read, if there is one. */
function longPartOf(event: Partial<APIGatewayProxyEvent>): string | undefined {
  const parts: [name: string, ...texts: Texts[]][] = [
    ['The path', event.pathParameters, { path: event.path }, { path: event.requestContext?.path }],
    ['The header', event.headers, event.multiValueHeaders],
    ['The query', event.multiValueQueryStringParameters, event.queryStringParameters],
  ];
  return parts.find(([, ...texts]) => texts.some(isLong))?.[0];
}

/** An event, and the part of its request that was too long, which is not in it any more. */
type Shortened = APIGatewayProxyEvent & { longPart?: string };

/** Nobody reads texts that are too long, not even to refuse or to log them. */
export function withoutLongTexts(event: APIGatewayProxyEvent): Shortened {
  const longPart = longPartOf(event);
  if (longPart === undefined) return event;
  return {
    ...event,
    ...{ path: '/', pathParameters: null, requestContext: { ...event.requestContext, path: '/' } },
    ...{ headers: {}, multiValueHeaders: {}, queryStringParameters: null, multiValueQueryStringParameters: null },
    longPart,
  };
}

/** API Gateway decodes parameters, and puts U+FFFD in place of bytes that are not UTF-8. What was sent is lost then. */
const isReplaced = (text: unknown): boolean =>
  typeof text === 'string' && (text.includes('\uFFFD') || !text.isWellFormed());

/** @throws {ServiceError} 400 for texts that are too long, or a parameter that is not UTF-8 */
export function refuseTexts({ longPart, multiValueQueryStringParameters }: Shortened): void {
  if (longPart !== undefined) throw badParameter(`${longPart} must be at most ${MAX_CHARACTERS} characters long`);
  const found = Object.entries(multiValueQueryStringParameters ?? {}).find((entry) => entry.flat().some(isReplaced));
  if (!found) return;
  const message = `${found[0].toWellFormed()} must be UTF-8, and U+FFFD stands for bytes that are not`;
  throw new ServiceError('wrong-encoding', message);
}
