/** The days that exist. */
const DAYS = {
  of31: '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])',
  of30: '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)',
  ofFebruary: '02-(?:0[1-9]|1[0-9]|2[0-8])',
};

const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';

const DATE = `(?:[0-9]{4}-(?:${Object.values(DAYS).join('|')})|${LEAP_YEAR}-02-29)`;
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const TIME = `[Tt]${CLOCK}:[0-5][0-9](?:\\.[0-9]+)?(?:[Zz]|[+-]${CLOCK})`;

const DAYS_BEFORE = '(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)';
const TIME_BEFORE = 'T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)';
const DURATION = `-P(?:[0-9]+W|${DAYS_BEFORE}(?:${TIME_BEFORE})?|${TIME_BEFORE})`;

/**
 * A moment, or nothing. RFC 3339, without leap seconds: no other clock of this service has one. Durations are those of its appendix A: weeks
 * alone, or each unit with the next smaller one. One pattern instead of two formats: generators of clients have no type for "a date-time
 * or a date".
 */
export const moment = {
  type: 'string',
  pattern: `^(?:${DATE}(?:${TIME})?|${DURATION})?$`,
  description: 'A date-time of RFC 3339, a date, which means its midnight in UTC, or a duration before now.',
  examples: ['2026-11-01', '2026-11-01T09:30:00Z', '-P7D'],
} as const;

/** The rule for texts that can be read. */
export const MOMENT_RULE =
  'must be a date-time of RFC 3339, a date, or a duration before now, such as 2026-11-01T09:30:00Z, 2026-11-01 or -P7D; a + is sent as %2B in a URL';

const MOMENT = new RegExp(moment.pattern);
const BEFORE_NOW = new RegExp(`^${DURATION}$`);

const EARLIEST = Date.parse('0000-01-01');

/** A minus, a plus or a dash of any kind: word processors write U+2212 or a dash for a minus. */
const SIGN = '[+\\uff0b\\u02d7\\u207b\\u208b\\u2212\\u2796\\p{Pd}]';

/** The beginning of a moment, as it may be meant: a duration with any sign or without one, `now-180d`, a year and a dash. In a URL a `+` is a blank. */
const LIKE_MOMENT = new RegExp(
  `^(?:\\s*${SIGN}\\s*[.,]?[\\p{Nd}P]|\\s+\\p{Nd}|\\s*PT?\\d+(?:[.,]\\d+)?[YMWDHS]|\\s*now\\s*(?:${SIGN}|\\d)|\\d{4}${SIGN})`,
  'iu',
);

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Whether a text is a duration before now. */
export const isDuration = (text: string): boolean => BEFORE_NOW.test(text);

/** Whether a text begins like a moment, or a month, and is none: as a text it would be a bound of other values than those that are meant. */
export const isMisspelt = (text: string): boolean => LIKE_MOMENT.test(text) && !MOMENT.test(text) && !MONTH.test(text);

/**
 * A duration before now. Months and years are those of the calendar in UTC: a month before 31 March is the last day of February.
 *
 * @returns Unix milliseconds, not before the year 0
 */
function momentBefore(now: number, duration: string): number {
  const [days = '', time = ''] = duration.split('T');
  const numberOf = (part: string, unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(part)?.[1] ?? 0);
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - 12 * numberOf(days, 'Y') - numberOf(days, 'M') + 1, 0);
  date.setUTCDate(Math.min(day, date.getUTCDate()));
  const hours = 24 * (7 * numberOf(days, 'W') + numberOf(days, 'D')) + numberOf(time, 'H');
  const more = ((hours * 60 + numberOf(time, 'M')) * 60 + numberOf(time, 'S')) * 1_000;
  return Math.max(EARLIEST, (Number.isNaN(date.getTime()) ? EARLIEST : date.getTime()) - more);
}

/**
 * A moment as the schema has it: a date-time, a date, which means its midnight in UTC, or a duration before now.
 *
 * @returns Unix milliseconds; a time between two of them is a half: users have whole ones. Undefined if it is none
 */
export function parseMoment(text: string, now: number): number | undefined {
  if (text === '' || !MOMENT.test(text)) return undefined;
  if (isDuration(text)) return momentBefore(now, text);
  const isBetween = /\.\d{3}0*[1-9]/.test(text);
  return Date.parse(text.toUpperCase()) + (isBetween ? 0.5 : 0);
}
