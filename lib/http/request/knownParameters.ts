import type { APIGatewayProxyEvent } from 'aws-lambda';
import { user } from '../../../schemas/user.ts';
import { ServiceError } from '../../errors.ts';
import { LISTING_PARAMETERS, type ListingRules, parametersOf } from '../listingRules.ts';

const FIELDS = Object.keys(user.properties);

/** As much of a name as a message repeats. */
const SHOWN = 64;

/** The names are compared ignoring case, and without what may join words. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');

/** Whether one edit makes one text of the other: a character more, less, another, or two swapped (Damerau, 1964). */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [left, right] = [a.slice(start), b.slice(start)];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

/** Whether a name is another one with something behind it that is no word's next letter: `age.eq`, `status[]`, `pageSize`. */
const continues = (name: string, known: string): boolean =>
  name.slice(0, known.length).toLowerCase() === known.toLowerCase() && /^[^a-z]/.test(name.slice(known.length));

/** The parameters that are probably meant by a name that looks like one of them, or like one of a field; none for other names. */
function meantBy(name: string, own: readonly string[]): string[] {
  const asked = plain(name);
  const same = own.filter((known) => plain(known) === asked);
  if (same.length > 0) return same;
  const field = [...FIELDS, ...own].find((known) => plain(known) === asked || continues(name, known));
  if (field !== undefined) return own.filter((known) => known === field || known.startsWith(`${field}.`));
  return own.filter((known) => isOneEditAway(asked, plain(known)));
}

/** RFC 7240, sections 2 and 4.4. The first mention of a preference counts. */
const isStrict = ({ headers }: APIGatewayProxyEvent): boolean =>
  /(?:^|,)\s*handling\s*=\s*"?(\w+)/i.exec(headers.prefer ?? '')?.[1]?.toLowerCase() === 'strict';

/** Says that a preference was met (RFC 7240, section 3). */
export const preferenceApplied = (event: APIGatewayProxyEvent): Record<string, string> =>
  isStrict(event) ? { 'preference-applied': 'handling=strict' } : {};

const orOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/**
 * A misspelt filter would return everybody, and the client would take the first for whom it has asked. What looks like a parameter
 * and is none is refused. What only other listings take is ignored, as is any other name, unless the client prefers to be told.
 *
 * @param refusesOthers whether what only other listings take is refused, too
 * @throws {ServiceError} 400 for the first such name, with what is probably meant
 */
export function refuseUnknown(event: APIGatewayProxyEvent, rules: ListingRules, refusesOthers = false): void {
  const own = parametersOf(rules);
  for (const name of Object.keys(event.multiValueQueryStringParameters ?? {})) {
    if (own.includes(name)) continue;
    const isOthers = LISTING_PARAMETERS.has(name);
    const meant = isOthers ? [] : meantBy(name, own);
    const isRefused = isOthers ? refusesOthers : meant.length > 0 || meantBy(name, FIELDS).length > 0;
    if (!isRefused && !isStrict(event)) continue;
    const hint = meant.length > 0 ? `: is ${orOf(meant)} meant?` : '';
    throw new ServiceError('unknown-filter', `Unknown parameter ${name.slice(0, SHOWN).toWellFormed()}${hint}`, {
      headers: preferenceApplied(event),
    });
  }
}
