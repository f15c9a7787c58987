const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the time zone and language of the browser. */
export const timeOf = (text: string): string => format.format(new Date(text));

const DAY_MS = 86_400_000;

/** The date in UTC as it was `count` days ago. */
export const dateDaysAgo = (count: number): string => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);

const regions = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' });

/** A country by its name, if it is a code of ISO 3166: former codes, and UK for GB, stay as they are. */
export const countryOf = (value: string): string | undefined =>
  /^(?!X[AB]|ZZ)[A-Z]{2}$/.test(value) && new Intl.Locale(`und-${value}`).region === value
    ? regions.of(value)
    : undefined;

const integers = new Intl.NumberFormat();

export const numberOf = (value: number): string => integers.format(value);

/** "1 user", "447 users". */
export const counted = (count: number, noun: string): string => `${numberOf(count)} ${noun}${count === 1 ? '' : 's'}`;
