import { moment } from '../../../schemas/moment.ts';

/** The rule for texts that can be read. */
export const MOMENT_RULE =
  'must be a date-time of RFC 3339, a date, or a duration before now, such as 2026-11-01T09:30:00Z, 2026-11-01 or -P7D; a + is sent as %2B in a URL';

const MOMENT = new RegExp(moment.pattern);

const EARLIEST = Date.parse('0000-01-01');

/** Whether a moment that can be read is one before now. */
export const isDuration = (text: string): boolean => text.startsWith('-');

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
