/**
 * Values of any kind in one column: each is encoded as a text. By the folded text, then by the text itself, they are sorted: false,
 * true, numbers, texts, arrays of texts. Texts and members of arrays have no control characters, so one search finds a substring of any.
 *
 *   false, true   U+0002, then 0 or 1
 *   a number      U+0003, then its bits, as hexadecimal digits that sort as numbers do, without the last zeros
 *   a text        U+0004 U+0001 text U+0001
 *   an array      U+0005 U+0001 text U+0001 text U+0001
 */
export type Mixed = string | number | boolean | readonly string[];

const BOOLEAN = '\u0002';
/** With which encoded numbers, texts and arrays begin. */
export const NUMBER = '\u0003';
export const TEXT = '\u0004';
export const ARRAY = '\u0005';
/** Before and behind each text. */
export const EDGE = '\u0001';

/** Digits of half a number. */
const DIGITS = 8;
const SIGN = 2 ** 31;

const view = new DataView(new ArrayBuffer(8));

/** Turns the sign, and of numbers below 0 all bits: so they rise with the numbers. */
function turn(isNegative: boolean): void {
  const high = view.getUint32(0);
  const low = view.getUint32(4);
  view.setUint32(0, isNegative ? ~high : high ^ SIGN);
  view.setUint32(4, isNegative ? ~low : low);
}

function digitsOf(value: number): string {
  // There is one zero.
  view.setFloat64(0, value + 0);
  turn(view.getInt8(0) < 0);
  return [view.getUint32(0), view.getUint32(4)]
    .map((half) => half.toString(16).padStart(DIGITS, '0'))
    .join('')
    .replace(/0+$/, '');
}

/** Digits that are none stand for some number: a broken base is not to end a request. */
function numberOf(digits: string): number {
  const all = digits.padEnd(2 * DIGITS, '0');
  view.setUint32(0, Number.parseInt(all.slice(0, DIGITS), 16));
  view.setUint32(4, Number.parseInt(all.slice(DIGITS), 16));
  turn(view.getInt8(0) >= 0);
  return view.getFloat64(0);
}

/** A value as the text that its column has. */
export function encoded(value: Mixed): string {
  if (typeof value === 'string') return TEXT + EDGE + value + EDGE;
  if (typeof value === 'boolean') return BOOLEAN + Number(value);
  if (typeof value === 'number') return NUMBER + digitsOf(value);
  return ARRAY + EDGE + value.map((text) => text + EDGE).join('');
}

/** The value that `encoded` made a text of. */
export function decoded(encoded: string): Mixed {
  const [first] = encoded;
  if (first === BOOLEAN) return encoded.endsWith('1');
  if (first === NUMBER) return numberOf(encoded.slice(1));
  return first === ARRAY ? encoded.slice(2).split(EDGE).slice(0, -1) : encoded.slice(2, -1);
}

export const isText = (encoded: string): boolean => encoded >= TEXT;
export const isArray = (encoded: string): boolean => encoded >= ARRAY;

/** Whether an encoded value may have a text. */
const canBeIn = (text: string): boolean => text.isWellFormed() && [...text].every((letter) => letter > ARRAY);

/** The texts of which an encoded array with one of some values has one. */
export const membersIn = (values: readonly Mixed[]): string[] =>
  values.flatMap((value) => (typeof value === 'string' && canBeIn(value) ? EDGE + value + EDGE : []));

/** Whether a text meets a test: that which is encoded, or one of an array's, folded or not. An empty array has an empty text. */
export function hasText(encoded: string, test: (text: string) => boolean): boolean {
  if (!isText(encoded)) return false;
  const texts = encoded.slice(2, -1);
  return isArray(encoded) ? texts.split(EDGE).some(test) : test(texts);
}

/** The places at which a substring is looked for without a look at each text. */
export type Place = 'startsWith' | 'endsWith' | 'includes';

export const isPlace = (at: string): at is Place => at === 'startsWith' || at === 'endsWith' || at === 'includes';

/** The texts of which an encoded and folded text has one if it has a substring at some place, or is an array with such a text. */
export function substringsAt(substrings: readonly string[], at: Place): string[] {
  const [before, behind] = [at === 'startsWith' ? EDGE : '', at === 'endsWith' ? EDGE : ''];
  return substrings.filter(canBeIn).map((substring) => before + substring + behind);
}
