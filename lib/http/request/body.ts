import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { badRequest, ServiceError } from '../../errors.ts';
import { JSON_TYPE } from '../mediaTypes.ts';
import { isDeeperThan, MAX_DEPTH } from './depth.ts';

type Middleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

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

function decoded({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  // The local gateway hands `false` and `0` on as they are.
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : String(body ?? '');
  return text.replace(/^\uFEFF/, '');
}

/**
 * Before the parser, which compares media types by case and answers 415 to all that it cannot read. A body without a
 * media type is taken for JSON.
 */
const checkEnvelope = ({ readers, refusalHeaders }: BodyRules<unknown>): Middleware => ({
  before: ({ event }) => {
    const mediaType = mediaTypeOf(event.headers['content-type'] ?? JSON_TYPE);
    if (!Object.hasOwn(readers, mediaType)) {
      const message = `Content-Type must be ${Object.keys(readers).join(' or ')}`;
      throw new ServiceError(415, message, refusalHeaders && { headers: refusalHeaders });
    }
    const body = decoded(event);
    if (Buffer.byteLength(body) > MAX_BODY_BYTES) {
      throw new ServiceError(413, `Request body must be at most ${MAX_BODY_BYTES} bytes`);
    }
    if (body.trim() === '') throw badRequest('Request body is required');
    event.headers['content-type'] = mediaType;
    Object.assign(event, { body, isBase64Encoded: false });
  },
});

const parser = httpJsonBodyParser();

/** The parser's own error says 415, but the media type is right: it is the JSON that is not. */
const parseJson = (): Middleware => ({
  before: async (request) => {
    try {
      await parser.before?.(request as Parameters<NonNullable<typeof parser.before>>[0]);
    } catch (error) {
      throw badRequest('Request body is not valid JSON', error);
    }
  },
});

/** The parser gets along with any depth; what reads its result does so by recursion, which ends where the stack does. */
const checkDepth = (): Middleware => ({
  before: ({ event }) => {
    if (isDeeperThan(MAX_DEPTH, event.body)) {
      throw badRequest(`Request body must not be nested deeper than ${MAX_DEPTH} levels`);
    }
  },
});

const checkBody = ({ readers }: BodyRules<unknown>): Middleware => ({
  before: ({ event }) => {
    const read = readers[event.headers['content-type'] ?? ''];
    Object.assign(event, { body: read?.(event.body) });
  },
});

/** From the raw body to the checked one. */
export const readBody = (rules: BodyRules<unknown>): Middleware[] => [
  checkEnvelope(rules),
  parseJson(),
  checkDepth(),
  checkBody(rules),
];
