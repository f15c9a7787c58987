declare global {
  interface JSON {
    /** With the text of a number, string or literal: https://tc39.es/proposal-json-parse-with-source/ */
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** A number that JavaScript would round. It is not valid in any field, and equal to nothing. */
const ROUNDED = Number.NaN;

/** Texts that could have a number with more digits than are exact, or with an exponent. */
const SUSPECT = /\d[\d.]{15}|\d[Ee]/;

/**
 * The digits of a number without zeros at both ends, and the power of ten of the last one: numbers with the same value have the same.
 * Loops, because a pattern for zeros at the end takes a time that grows with the square of the length.
 */
function canonical(source: string): string {
  const [mantissa = '', exponent = '0'] = source.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  const power = Number(exponent) - fraction.length + digits.length - end;
  return start === end ? '0' : `${digits.slice(start, end)}e${power}`;
}

/** Nearer to 0 DynamoDB has no number but 0. */
const LEAST = 1e-130;

/** Programs write a double with up to as many digits, most of which tell it from no other one: 0.1 as `0.10000000000000001`. */
const DIGITS_OF_A_DOUBLE = 17;

/**
 * Whether a number is what its text says, and can be stored. `1e400` is Infinity in JavaScript, and `1e-400` is 0. A text that is no integer
 * does not become one.
 */
const isExact = (value: number, source: string): boolean => {
  const text = String(value);
  if (!Number.isFinite(value) || (value !== 0 && Math.abs(value) < LEAST)) return false;
  if (text === source) return true;
  const said = canonical(source);
  const isDouble = !Number.isInteger(value) && said.indexOf('e') <= DIGITS_OF_A_DOUBLE;
  return isDouble || canonical(text) === said;
};

/** A number beyond the exact integers stays what it is: it is out of every range, and the message may say so. */
const exactly = (value: number, source: string): number =>
  isExact(value, source) || (Number.isFinite(value) && !Number.isSafeInteger(Math.trunc(value))) ? value : ROUNDED;

/** The number that a text says, as JSON writes numbers; NaN if it would be rounded. */
export const exactNumber = (source: string): number => exactly(Number(source), source);

/**
 * `JSON.parse`, but with NaN for a number that would be rounded.
 *
 * @throws {SyntaxError} when the text is not JSON
 */
export const parseExactly = (text: string): unknown =>
  SUSPECT.test(text)
    ? JSON.parse(text, (_, value, { source }) =>
        typeof value === 'number' && source !== undefined ? exactly(value, source) : value,
      )
    : JSON.parse(text);
