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
