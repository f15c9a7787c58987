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

/**
 * What `parseMoment` reads, or nothing. One pattern instead of two formats: generators of clients have no type for "a date-time or a
 * date".
 */
export const moment = {
  type: 'string',
  pattern: `^(?:${DATE}(?:${TIME})?)?$`,
  description: 'A date-time of RFC 3339, or a date, which means its midnight in UTC.',
  examples: ['2026-11-01', '2026-11-01T09:30:00Z'],
} as const;
