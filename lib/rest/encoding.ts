import type { APIGatewayProxyEvent } from 'aws-lambda';
import { httpError } from './errors.ts';

/** The names of UTF-8: https://encoding.spec.whatwg.org/#names-and-labels */
const UTF_8 = ['utf-8', 'utf8'];

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/gi;

/**
 * @param more headers of a refusal
 * @throws {ServiceError} 415 for bytes that mean something else than the UTF-8 of JSON, 400 for a part of a user (RFC 9110, section 14.5)
 */
export function refuseEncodings({ headers, httpMethod }: APIGatewayProxyEvent, more: Record<string, string>): void {
  if (httpMethod === 'PUT' && headers['content-range'] !== undefined)
    throw httpError('validation', 'Content-Range is refused: a PUT must have the whole user');
  const charsets = [...(headers['content-type'] ?? '').matchAll(CHARSET)].map(([, name = '']) => name.toLowerCase());
  if (!charsets.every((name) => UTF_8.includes(name)))
    throw httpError('unsupported-encoding', 'The charset must be UTF-8', { headers: more });
  const codings = (headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  if (codings.every((coding) => ['', 'identity'].includes(coding))) return;
  throw httpError('unsupported-encoding', 'The body must not have a Content-Encoding', {
    headers: { ...more, 'accept-encoding': 'identity' },
  });
}

function decodeBytes(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw httpError('wrong-encoding', 'Request body must be UTF-8', { cause: error });
  }
}

/** API Gateway and the local gateway put U+FFFD in place of bytes that are not UTF-8. In JSON it can be written without being one. */
function refuseReplaced(text: string): string {
  if (text.isWellFormed() && !text.includes('\uFFFD')) return text;
  const message = 'Request body must be UTF-8. U+FFFD stands for bytes that are not, or is sent as \\ufffd';
  throw httpError('wrong-encoding', message);
}

/**
 * @param most bytes
 * @throws {ServiceError} 413 before anything else looks at a text that is too long, 400 when it is not UTF-8
 */
export function decode({ body, isBase64Encoded }: APIGatewayProxyEvent, most: number): string {
  // The local gateway passes `false` and `0` on as they are.
  const given = String(body ?? '');
  if (Buffer.byteLength(given, isBase64Encoded ? 'base64' : 'utf8') > most)
    throw httpError('body-too-large', `Request body must be at most ${most} bytes`);
  const text = isBase64Encoded ? decodeBytes(Buffer.from(given, 'base64')) : refuseReplaced(given);
  return text.replace(/^\uFEFF/, '');
}
