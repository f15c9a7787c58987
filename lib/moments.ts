/** What a text is that can be read. */
export const MOMENT_RULE =
  'must be a date-time of RFC 3339, a date, or a duration before now, such as 2026-11-01T09:30:00Z, 2026-11-01 or -P7D; a + is sent as %2B in a URL';

const DATE_TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt](?<time>(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(?<fraction>\d+))?(?:[Zz]|(?<sign>[+-])(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d)))?$/;

const MINUTE_MS = 60_000;

const EARLIEST = Date.parse('0000-01-01');

/** RFC 3339, appendix A: weeks alone, or each unit with the next smaller one. */
const DURATION =
  /^-P(?:(?<weeks>\d+)W|(?=\d|T)(?:(?:(?<years>\d+)Y(?=\d+M|T|$))?(?:(?<months>\d+)M)?(?:(?<days>\d+)D)?)(?:T(?=\d)(?:(?<hours>\d+)H(?!\d+S))?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+)S)?)?)$/;

/** Whether a moment that can be read is one before now. */
export const isDuration = (text: string): boolean => text.startsWith('-');

/** Milliseconds of a fraction of a second. A time between two of them is a half: users have whole milliseconds. */
function millisecondsOf(fraction: string): number {
  const more = /[1-9]/.test(fraction.slice(3)) ? 0.5 : 0;
  return Number(fraction.slice(0, 3).padEnd(3, '0')) + more;
}

/**
 * A duration before now. Months and years are those of the calendar in UTC: a month before 31 March is the last day of February.
 *
 * @returns Unix milliseconds, not before the year 0; undefined if it is none
 */
function momentBefore(now: number, text: string): number | undefined {
  const groups = DURATION.exec(text)?.groups;
  if (!groups) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = [
    ...['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'].map((unit) => Number(groups[unit] ?? 0)),
  ];
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - 12 * years - months + 1, 0);
  date.setUTCDate(Math.min(day, date.getUTCDate()));
  const more = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
  return Math.max(EARLIEST, (Number.isNaN(date.getTime()) ? EARLIEST : date.getTime()) - more);
}

/**
 * A date-time of RFC 3339, section 5.6, a date, which means its midnight in UTC, or a duration before now. A leap second is refused: no
 * other clock of this service has one.
 *
 * @returns Unix milliseconds; undefined if it is none of them
 */
export function parseMoment(text: string, now: number): number | undefined {
  const { date, time = '00:00:00', fraction = '', sign, hours, minutes } = DATE_TIME.exec(text)?.groups ?? {};
  if (date === undefined) return momentBefore(now, text);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // `Date` takes a day that its month does not have for a day of the next month, or for no time at all.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  return Date.parse(`${date}T${time}Z`) + millisecondsOf(fraction) - offset;
}
