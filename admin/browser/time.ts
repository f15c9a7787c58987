const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the time zone and language of the browser. */
export const timeOf = (text: string): string => format.format(new Date(text));

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

export const dateOf = (ms: number): string => dates.format(ms);

export const DAY_MS = 86_400_000;

const HOUR_MS = 3_600_000;

const MINUTE_MS = 60_000;

const relative = new Intl.RelativeTimeFormat(undefined, { style: 'short' });

/** How long ago it was, up to a day, then the moment itself. */
export function agoOf(text: string): string {
  const ms = Math.max(Date.now() - Date.parse(text), 0);
  if (ms < MINUTE_MS) return 'just now';
  if (ms < HOUR_MS) return relative.format(-Math.floor(ms / MINUTE_MS), 'minute');
  return ms < DAY_MS ? relative.format(-Math.floor(ms / HOUR_MS), 'hour') : timeOf(text);
}

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' });

/** A country by its name, if it is a code of ISO 3166: former codes, and UK for GB, stay as they are. */
export const countryOf = (value: string): string | undefined =>
  /^(?!X[AB]|ZZ)[A-Z]{2}$/.test(value) && new Intl.Locale(`und-${value}`).region === value
    ? regions.of(value)
    : undefined;

const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The same in English. */
export const englishOf = (value: string): string | undefined => english.of(value);

const integers = new Intl.NumberFormat();

export const numberOf = (value: number): string => integers.format(value);

/** "1 user", "447 users". */
export const counted = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`;

const sizes = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** "412 KB" */
export const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${sizes.format(Math.ceil(bytes / 1e3))} KB` : `${sizes.format(bytes / 1e6)} MB`;

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** "16:40": the time of a moment of some day. */
export const clockOf = (at: string | number): string => clock.format(new Date(at));

/** The beginning of the day of a moment in the reader's zone, in Unix milliseconds. */
export const dayOf = (at: string | number): number => new Date(at).setHours(0, 0, 0, 0);

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const withYear = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** "Today", "Yesterday", or nothing, and the day itself. */
export function dayNames(day: number): { near?: string; name: string } {
  const now = new Date();
  const ago = Math.round((dayOf(now.getTime()) - day) / DAY_MS);
  const name = (new Date(day).getFullYear() === now.getFullYear() ? weekday : withYear).format(day);
  return { name, ...(ago === 0 && { near: 'Today' }), ...(ago === 1 && { near: 'Yesterday' }) };
}
