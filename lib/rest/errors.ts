import { errorsOf, PROBLEMS as OF_ALL, type Problem, type ServiceError } from '../ground/index.ts';

/** The errors of the stack, by their codes. Codes stay as they are. */
export const PROBLEMS = {
  'not-json': { status: 400, meaning: 'The body is empty, or not JSON' },
  'refused-json': { status: 400, meaning: 'The body is too deep, or has a name that is refused' },
  'wrong-encoding': { status: 400, meaning: 'The body or a parameter is not UTF-8' },
  'unknown-parameter': { status: 400, meaning: 'A query parameter is not known here' },
  'token-expired': { status: 401, meaning: 'The token has expired' },
  'insufficient-scope': { status: 403, meaning: 'The token lacks a scope' },
  'path-not-found': { status: 404, meaning: 'There is nothing at this path' },
  'method-not-allowed': { status: 405, meaning: 'The path has other methods: see Allow' },
  'not-acceptable': { status: 406, meaning: 'There is no representation that Accept allows' },
  'body-too-large': { status: 413, meaning: 'The body has too many bytes' },
  'unsupported-media-type': { status: 415, meaning: 'The media type of the body is not supported here' },
  'unsupported-encoding': { status: 415, meaning: 'The body has a charset other than UTF-8, or a Content-Encoding' },
} as const satisfies Record<string, Problem>;

/** An error of the stack. */
export const httpError = /* @__PURE__ */ errorsOf({ ...OF_ALL, ...PROBLEMS });

/** The text of an error with advice after it, for problem details. */
export const advised = (message: string, advice: string | undefined): string =>
  advice === undefined ? message : `${message}. ${advice}`;

/** @param advice what is there in its place */
export function pathNotFound(path: string, advice?: string): ServiceError {
  const message = `Path not found: ${path}`;
  return httpError('path-not-found', message, { detail: advised(message, advice) });
}

/** The `type` of RFC 9457. */
export const typeOf = (code: string): string => `urn:problem:${code}`;
