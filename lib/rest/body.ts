import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { parseExactly } from '../ground/index.ts';
import { isDeeperThan, MAX_DEPTH } from './depth.ts';
import { decode, refuseEncodings } from './encoding.ts';
import { httpError } from './errors.ts';
import { type Ignoring, ignoredIn, isStrict } from './ignored.ts';
import { MEDIA } from './mediaTypes.ts';

/** The bodies that an endpoint accepts: how to read the parsed JSON of each media type. */
export interface BodyRules<Body> {
  /** @throws {ServiceError} 400 when the parsed body does not conform */
  readers: Readonly<Record<string, (body: unknown) => Body>>;
  /**
   * Looks at the parsed JSON before all else, for a large body: one that is refused is neither searched nor parsed again.
   *
   * @throws {ServiceError} 400
   */
  look?: (body: unknown) => void;
  /** Tells the members that nothing comes of. Absent: its readers refuse them. */
  ignoring?: Ignoring;
  /** The body where none is sent. Absent: one must be sent. */
  absent?: Body;
  /** The most bytes of a body. A longer one is refused (413). */
  maxBytes: number;
}

const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Headers that tell a client what it could have sent (RFC 5789, section 3.1). */
const refusalHeaders = (
  { httpMethod }: APIGatewayProxyEvent,
  { readers }: BodyRules<unknown>,
): Record<string, string> => (httpMethod === 'PATCH' ? { 'accept-patch': Object.keys(readers).join(', ') } : {});

/** A body without a media type is taken for JSON. */
function readerFor<Body>(event: APIGatewayProxyEvent, rules: BodyRules<Body>) {
  const { readers } = rules;
  const mediaType = mediaTypeOf(event.headers['content-type'] ?? MEDIA.json);
  const reader = Object.hasOwn(readers, mediaType) ? readers[mediaType] : undefined;
  if (reader) return reader;
  const message = `Content-Type must be ${Object.keys(readers).join(' or ')}`;
  throw httpError('unsupported-media-type', message, { headers: refusalHeaders(event, rules) });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw httpError('not-json', 'Request body is not valid JSON', { cause });
  }
}

/** The parser of the stack and the readers recurse, so a deep body would overflow their stack. `JSON.parse` alone takes any depth. */
function refuseDeep(body: unknown): void {
  if (isDeeperThan(MAX_DEPTH, body)) {
    throw httpError('refused-json', `Request body must not be nested deeper than ${MAX_DEPTH} levels`);
  }
}

/** Whether no body is sent, where none must be. Its media type does not matter then. The local gateway has none for the JSON `null`, but its length. */
const isAbsent = ({ body, headers }: APIGatewayProxyEvent, { absent }: BodyRules<unknown>): boolean =>
  absent !== undefined && (body ?? '') === '' && Number(headers['content-length'] ?? 0) === 0;

/** The text of a body that the parser takes: it sends 415 for a missing media type, and 422 for an empty body and for other JSON. */
function textOf(event: APIGatewayProxyEvent, rules: BodyRules<unknown>): string {
  readerFor(event, rules);
  refuseEncodings(event, refusalHeaders(event, rules));
  const text = decode(event, rules.maxBytes);
  if (text.trim() === '') throw httpError('not-json', 'Request body is required');
  const parsed = jsonOf(text);
  rules.look?.(parsed);
  refuseDeep(parsed);
  return text;
}

const parser = httpJsonBodyParser();

/**
 * Puts the parsed JSON in place of the body. Of valid JSON the parser refuses names that could change the prototype of an object. It
 * rounds numbers.
 *
 * @throws {ServiceError} 415 for another media type or encoding, 413 above its limit, 400 when the body is not UTF-8, not JSON, too
 *   deep, or has names that could change a prototype
 */
export const parseJson = (rules: BodyRules<unknown>): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  before: async (request) => {
    const { event } = request;
    if (isAbsent(event, rules)) {
      Object.assign(event, { body: undefined });
      return;
    }
    const text = textOf(event, rules);
    event.headers['content-type'] = mediaTypeOf(event.headers['content-type'] ?? MEDIA.json);
    Object.assign(event, { body: text, isBase64Encoded: false });
    try {
      await parser.before?.(request as Parameters<NonNullable<typeof parser.before>>[0]);
    } catch (error) {
      const message = 'Request body must not have a member __proto__, or constructor with a member prototype';
      throw httpError('refused-json', message, { cause: error });
    }
    Object.assign(event, { body: parseExactly(text) });
  },
});

/** A checked body, and the names of its members that nothing comes of. */
export interface ReadBody<Body> {
  body: Body;
  ignored: readonly string[];
}

/**
 * Checks the JSON that `parseJson` has put in place of the body.
 *
 * @throws {ServiceError} 400 when it does not conform, or has members that nothing comes of and the client asks for strict handling
 */
export function readBody<Body>(event: APIGatewayProxyEvent, rules: BodyRules<Body>): ReadBody<Body> {
  const { absent, ignoring } = rules;
  // `null` is JSON that was sent.
  if (absent !== undefined && event.body === undefined) return { body: absent, ignored: [] };
  const body = readerFor(event, rules)(event.body);
  return { body, ignored: ignoring ? ignoredIn(event.body, ignoring, isStrict(event)) : [] };
}
