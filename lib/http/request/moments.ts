/** What a text is that can be read. */
export const MOMENT_RULE =
  'must be a date-time of RFC 3339 or a date, such as 2026-11-01T09:30:00Z or 2026-11-01; a + is sent as %2B in a URL';

const DATE_TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt](?<time>(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(?<fraction>\d+))?(?:[Zz]|(?<sign>[+-])(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d)))?$/;

const MINUTE_MS = 60_000;

/** Milliseconds of a fraction of a second. A time between two of them is a half: users have whole milliseconds. */
function millisecondsOf(fraction: string): number {
  const more = /[1-9]/.test(fraction.slice(3)) ? 0.5 : 0;
  return Number(fraction.slice(0, 3).padEnd(3, '0')) + more;
}

/**
 * A date-time of RFC 3339, section 5.6, or a date, which means its midnight in UTC. A leap second is refused: no other clock of
 * this service has one.
 *
 * @returns Unix milliseconds; undefined if it is neither
 */
export function parseMoment(text: string): number | undefined {
  const { date, time = '00:00:00', fraction = '', sign, hours, minutes } = DATE_TIME.exec(text)?.groups ?? {};
  if (date === undefined) return undefined;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // `Date` takes a day that its month does not have for a day of the next month, or for no time at all.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  return Date.parse(`${date}T${time}Z`) + millisecondsOf(fraction) - offset;
}
