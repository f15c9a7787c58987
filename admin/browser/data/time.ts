/** Makes something when it is first needed. */
export function lazily<Thing>(make: () => Thing): () => Thing {
  let made: Thing | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const formats = lazily(() => ({
  moment: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  date: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  weekday: new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' }),
  withYear: new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
  relative: new Intl.RelativeTimeFormat(undefined, { style: 'short' }),
  regions: new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' }),
  english: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
  integers: new Intl.NumberFormat(),
  sizes: new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }),
  dollars: new Intl.NumberFormat(undefined, { maximumSignificantDigits: 1, maximumFractionDigits: 20 }),
}));

// The first format of a page takes 15 ms, in which the first answer is on its way.
setTimeout(formats);

/** A moment in the time zone and language of the browser. */
export const timeOf = (text: string): string => formats().moment.format(new Date(text));

export const dateOf = (ms: number): string => formats().date.format(ms);

export const DAY_MS = 86_400_000;

const HOUR_MS = 3_600_000;

const MINUTE_MS = 60_000;

/** The unit in which people say so long a time. */
function unitOf(ms: number): readonly ['day' | 'hour' | 'minute', number] {
  if (Math.abs(ms) >= DAY_MS) return ['day', DAY_MS];
  return Math.abs(ms) >= HOUR_MS ? ['hour', HOUR_MS] : ['minute', MINUTE_MS];
}

/** "5 min ago", "77 days ago", "in 64 days". */
export function awayOf(text: string): string {
  const ms = Date.parse(text) - Date.now();
  const [unit, length] = unitOf(ms);
  return formats().relative.format(Math.trunc(ms / length), unit);
}

/** How long ago it was, up to a day, then the date. */
export function agoOf(text: string): string {
  const ms = Date.now() - Date.parse(text);
  if (ms < MINUTE_MS) return 'just now';
  return ms < DAY_MS ? awayOf(text) : dateOf(Date.parse(text));
}

/** A country by its name, if it is a code of ISO 3166: former codes, and UK for GB, stay as they are. */
export const countryOf = (value: string): string | undefined =>
  /^(?!X[AB]|ZZ)[A-Z]{2}$/.test(value) && new Intl.Locale(`und-${value}`).region === value
    ? formats().regions.of(value)
    : undefined;

/** The same in English. */
export const englishOf = (value: string): string | undefined => formats().english.of(value);

export const numberOf = (value: number): string => formats().integers.format(value);

/** "0.000006" */
export const dollarsOf = (value: number): string => formats().dollars.format(value);

/** "1 user", "447 users". */
export const counted = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`;

/** "2 minutes later" */
export function laterOf(ms: number): string {
  const [unit, length] = unitOf(ms);
  return ms < MINUTE_MS ? 'within a minute' : `${counted(Math.floor(ms / length), unit)} later`;
}

/** "412 KB" */
export const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${formats().sizes.format(Math.ceil(bytes / 1e3))} KB` : `${formats().sizes.format(bytes / 1e6)} MB`;

/** "16:40": the time of a moment of some day. */
export const clockOf = (at: string | number): string => formats().clock.format(new Date(at));

/** The beginning of the day of a moment in the reader's zone, in Unix milliseconds. */
export const dayOf = (at: string | number): number => new Date(at).setHours(0, 0, 0, 0);

/** "Today", "Yesterday", or nothing, and the day itself. */
export function dayNames(day: number): { near?: string; name: string } {
  const now = new Date();
  const ago = Math.round((dayOf(now.getTime()) - day) / DAY_MS);
  const { weekday, withYear } = formats();
  const name = (new Date(day).getFullYear() === now.getFullYear() ? weekday : withYear).format(day);
  return { name, ...(ago === 0 && { near: 'Today' }), ...(ago === 1 && { near: 'Yesterday' }) };
}
