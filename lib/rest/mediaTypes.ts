/** The media types of bodies, and which of them a client wants. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import Negotiator from 'negotiator';
import { httpError } from './errors.ts';

/** The media types that the stack, or a service on it, has a name for. */
export const MEDIA = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  html: 'text/html',
  /** RFC 7396. */
  mergePatch: 'application/merge-patch+json',
  /** RFC 6902. */
  jsonPatch: 'application/json-patch+json',
  /** RFC 9457. */
  problem: 'application/problem+json',
} as const;

/** The media types of patches, for the `Accept-Patch` header (RFC 5789). */
export const ACCEPT_PATCH = [MEDIA.mergePatch, MEDIA.jsonPatch, MEDIA.json].join(', ');

type Request = Pick<APIGatewayProxyEvent, 'headers'>;

/** A parameter of a media range: a name, and perhaps a token or a quoted text. */
const PARAMETER = /;\s*([^\s;=,"]*)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*))?/g;

/**
 * RFC 9110, section 12.4.2: a weight is 0 to 1, and 1 if there is none. Section 2.4 leaves open what comes of one that is neither: beyond its
 * range it means the nearest, and what is no number is left out, so that the client is not refused for it.
 */
function weightOf(text: string): string {
  const weight = Number.parseFloat(text);
  return Number.isNaN(weight) ? '' : `;q=${Math.min(1, Math.max(0, weight))}`;
}

/** Section 12.5.1 has no star alone, but clients of Java send it (`*; q=.2`): any type. */
const LONE_STAR = /(?<=^|,)\s*\*(?=\s*(?:[;,]|$))/g;

/** `Accept` with the weights of its media ranges, and no other parameter: whatever they ask for, a type has one representation. */
export const acceptOf = (field = ''): string =>
  field
    .replace(PARAMETER, (_, name: string, value = '') => (/^q$/i.test(name) ? weightOf(value) : ''))
    .replace(LONE_STAR, '*/*')
    .trim() || '*/*';

const namesProblem = (range: string): boolean => range.split(';', 1)[0]?.trim().toLowerCase() === MEDIA.problem;

/**
 * The media type of a response without an error. The first is the default. A client that names nothing but problem details wants
 * them for errors, and gets the default.
 */
export function chosenType(request: Request, types: readonly string[]): string | undefined {
  const accepted = new Negotiator(request).mediaTypes();
  const isForProblems = accepted.length > 0 && accepted.every(namesProblem);
  return new Negotiator(request).mediaType(types) ?? (isForProblems ? types[0] : undefined);
}

/**
 * Whether errors are problems: the client names them, with at least the weight of JSON. At the same weight a negotiator takes what
 * is named first. Any type (a star) names nothing and means the first of the types.
 */
export function prefersProblem(request: Request): boolean {
  const ranges = (request.headers.accept ?? '*/*').split(',');
  const accept = ranges.toSorted((a, b) => Number(namesProblem(b)) - Number(namesProblem(a)));
  return (
    new Negotiator({ headers: { accept: accept.join(',') } }).mediaType([MEDIA.json, MEDIA.problem]) === MEDIA.problem
  );
}

/** Without types there is nothing to refuse: the response has no content. */
export function refuseUnacceptable(request: Request, types: readonly string[]): void {
  if (types.length > 0 && chosenType(request, types) === undefined)
    throw httpError('not-acceptable', `Accept must allow ${types.join(' or ')}`);
}
