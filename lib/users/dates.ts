/** The dates of RFC 3339 that texts begin with, read of their bytes: of a million texts each is looked at in a question. */

const [ZERO, HYPHEN, DATE_BYTES] = [48, 45, 10];

/** The letters, small or not, with which a time in UTC ends. */
const isUtc = (byte: number | undefined): boolean => byte === 90 || byte === 122;

/** A whole number of some digits; undefined for other characters. */
function digitsAt(bytes: Buffer, at: number, count: number): number | undefined {
  let number = 0;
  for (let i = at; i < at + count; i++) {
    const digit = (bytes[i] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const daysOf = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : (MONTHS[month - 1] ?? 0));

/** `Date.UTC` takes the first hundred years for those of the twentieth century: the calendar is the same 400 years later. */
const [CYCLE, CYCLE_DAYS, DAY] = [400, 146_097, 86_400_000];

/** Behind a date: a time with its distance from UTC. Between the two may be a blank. */
const OFFSET = /^[Tt ]([01]\d|2[0-3]):([0-5]\d):(?:[0-5]\d|60)(?:\.\d+)?([+-])([01]\d|2[0-3]):([0-5]\d)$/;

/** How many days the day in UTC is behind the written one: -1, 0 or 1. */
function daysBetween(text: string): number {
  const [, hours, minutes, sign, hoursFrom, minutesFrom] = OFFSET.exec(text) ?? [];
  if (!sign) return 0;
  const from = (60 * Number(hoursFrom) + Number(minutesFrom)) * (sign === '+' ? 1 : -1);
  return Math.floor((60 * Number(hours) + Number(minutes) - from) / 1_440);
}

/**
 * The day that a text begins with, or that is in UTC where the text is a time with another offset. Other text behind a date does not
 * count.
 *
 * @param from its first byte, and `end` the one behind its last
 * @returns days since 1970; undefined for a text that begins with no date, or with one that does not exist
 */
export function dayIn(bytes: Buffer, from: number, end: number): number | undefined {
  if (end - from < DATE_BYTES || bytes[from + 4] !== HYPHEN || bytes[from + 7] !== HYPHEN) return undefined;
  const year = digitsAt(bytes, from, 4);
  const month = digitsAt(bytes, from + 5, 2);
  const day = digitsAt(bytes, from + 8, 2);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (day === 0 || day > daysOf(year, month)) return undefined;
  const written = Date.UTC(year + CYCLE, month - 1, day) / DAY - CYCLE_DAYS;
  if (end - from === DATE_BYTES || isUtc(bytes[end - 1])) return written;
  return written + daysBetween(bytes.toString('latin1', from + DATE_BYTES, end));
}
