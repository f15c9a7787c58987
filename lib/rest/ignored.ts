/** Members of a body that nothing comes of. They are named in the response, or refused where the client asks for that. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Failure, note } from '../ground/index.ts';
import { httpError } from './errors.ts';
import { shown } from './knownParameters.ts';
import { handlingOf } from './preferences.ts';

/** How the endpoints of a body tell them. */
export interface Ignoring {
  /** The names of the members of the parsed body that nothing comes of. */
  namesIn(body: unknown): readonly string[];
  /** One of them as a failure, with the member that is probably meant. */
  failureOf(name: string): Failure;
}

/** The most that are named: a body can have thousands. */
const MOST = 20;

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/;

/** A token, or a quoted string (RFC 9110, section 5.6.4), in which `?` stands for a character that no header field has. */
function asField(name: string): string {
  const text = shown(name);
  return TOKEN.test(text) ? text : `"${text.replaceAll(/[^ -~]/gu, '?').replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The first names, as results of a batch have them. */
export const named = (names: readonly string[]): string[] => names.slice(0, MOST).map(shown);

/**
 * The names of members that nothing comes of.
 *
 * @throws {ServiceError} 400 with each of them, if the client asks for strict handling (RFC 7240, section 4.4)
 */
export function ignoredIn(body: unknown, { namesIn, failureOf }: Ignoring, isStrict: boolean): readonly string[] {
  const names = namesIn(body);
  if (names.length === 0 || !isStrict) return names;
  const failures = names.slice(0, MOST).map(failureOf);
  throw httpError('validation', failures.map(({ detail }) => detail).join('; '), { failures });
}

export const isStrict = (event: APIGatewayProxyEvent): boolean => handlingOf(event) === 'strict';

/** The response with the names of members that nothing came of. */
export function withIgnored(response: APIGatewayProxyResult, names: readonly string[]): APIGatewayProxyResult {
  if (names.length === 0) return response;
  note({ ignoredMembers: names.length });
  const field = names.slice(0, MOST).map(asField).join(', ');
  return { ...response, headers: { ...response.headers, 'ignored-members': field } };
}
