import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { badRequest, ServiceError } from '../../errors.ts';
import { JSON_TYPE } from '../mediaTypes.ts';
import { isDeeperThan, MAX_DEPTH } from './depth.ts';

/** A user has at most a few kilobytes. */
const MAX_BODY_BYTES = 1_048_576;

/** What an endpoint accepts as its body: how to read the parsed JSON of each media type. */
export interface BodyRules<Body> {
  /** @throws {ServiceError} 400 when the parsed body does not conform */
  readers: Readonly<Record<string, (body: unknown) => Body>>;
  /** Headers that tell a client what it could have sent (RFC 5789: `accept-patch`). */
  refusalHeaders?: Record<string, string>;
}

const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** A body without a media type is taken for JSON. */
function readerFor<Body>({ headers }: APIGatewayProxyEvent, { readers, refusalHeaders }: BodyRules<Body>) {
  const mediaType = mediaTypeOf(headers['content-type'] ?? JSON_TYPE);
  const reader = Object.hasOwn(readers, mediaType) ? readers[mediaType] : undefined;
  if (reader) return reader;
  const message = `Content-Type must be ${Object.keys(readers).join(' or ')}`;
  throw new ServiceError(415, message, refusalHeaders && { headers: refusalHeaders });
}

function decode({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  // The local gateway passes `false` and `0` on as they are.
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : String(body ?? '');
  return text.replace(/^\uFEFF/, '');
}

type Middleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** Runs before the parser, which is case-sensitive about media types and sends 415 for everything that it cannot read. */
const checkEnvelope = (rules: BodyRules<unknown>): Middleware => ({
  before: ({ event }) => {
    readerFor(event, rules);
    const body = decode(event);
    if (Buffer.byteLength(body) > MAX_BODY_BYTES) {
      throw new ServiceError(413, `Request body must be at most ${MAX_BODY_BYTES} bytes`);
    }
    if (body.trim() === '') throw badRequest('Request body is required');
    event.headers['content-type'] = mediaTypeOf(event.headers['content-type'] ?? JSON_TYPE);
    Object.assign(event, { body, isBase64Encoded: false });
  },
});

const parser = httpJsonBodyParser();

/** The parser's own error is a 415. Here the media type is right and the JSON is wrong, so it becomes a 400. */
const parse = (): Middleware => ({
  before: async (request) => {
    try {
      await parser.before?.(request as Parameters<NonNullable<typeof parser.before>>[0]);
    } catch (error) {
      throw badRequest('Request body is not valid JSON', error);
    }
  },
});

/**
 * Puts the parsed JSON in place of the body. Without rules the body is not looked at.
 *
 * @throws {ServiceError} 415 for another media type, 413 above 1 MiB, 400 when the body is not JSON
 */
export const parseJson = (rules?: BodyRules<unknown>): Middleware[] => (rules ? [checkEnvelope(rules), parse()] : []);

/**
 * Checks the JSON that `parseJson` has put in place of the body.
 *
 * @throws {ServiceError} 400 when it does not conform
 */
export function readBody<Body>(event: APIGatewayProxyEvent, rules: BodyRules<Body>): Body {
  const value: unknown = event.body;
  // The parser takes any depth. The readers recurse, so a deep body would overflow their stack.
  if (isDeeperThan(MAX_DEPTH, value)) {
    throw badRequest(`Request body must not be nested deeper than ${MAX_DEPTH} levels`);
  }
  return readerFor(event, rules)(value);
}
