const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the time zone and language of the browser. */
export const timeOf = (text: string): string => format.format(new Date(text));

const integers = new Intl.NumberFormat();

export const numberOf = (value: number): string => integers.format(value);
