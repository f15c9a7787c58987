import { Refusal } from './api.ts';

/** The digits with which every double can be written (IEEE 754). */
const DOUBLE_DIGITS = 17;

/** The digits of a number, without zeros before and behind them. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');

/** Whether a number is read as it is written. */
function isExact(source: string): boolean {
  const digits = digitsOf(source);
  if (digits === '') return true;
  return digits.length <= DOUBLE_DIGITS && digitsOf(Number(source).toPrecision(digits.length)) === digits;
}

/** The parser tells the text of a number. The type of TypeScript's library does not know that yet. */
type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;

/** A call with something that nobody would read: a member that objects lose, or a number that would be another one. Undefined for all others, and for a text that is no JSON. */
export function unreadIn(text: string): Refusal | undefined {
  let found: string | undefined;
  const read: Reviver = (name, value, context) => {
    if (name === '__proto__') found = '__proto__ is no name';
    if (typeof value === 'number' && !isExact(context?.source ?? String(value)))
      found = `${context?.source?.slice(0, 64)} would be rounded: send it as a text`;
    return value;
  };
  try {
    JSON.parse(text, read);
  } catch {
    return undefined;
  }
  return found === undefined ? undefined : new Refusal(400, found);
}
