/** Attributes in the cells of CSV, and what is none. */

import { unescapeFormula } from '../../lib/http/response/formulas.ts';
import { exactNumber, parseExactly } from '../../lib/rest/index.ts';
import type { Cell } from './records.ts';

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As JSON writes numbers, without exponents. What begins with zeros or a plus is a code, or a number to be called. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const LITERALS = new Map([
  ['true', true],
  ['false', false],
]);

/** Undefined when a text is not JSON, or not of its kind. */
function parsed(text: string, isOfKind: (value: unknown) => boolean): unknown {
  try {
    const value = parseExactly(text);
    return isOfKind(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a text looks like, if that says the same: a number that would be rounded stays a text. */
function typed(text: string): unknown {
  const number = NUMBER.test(text) ? exactNumber(text) : Number.NaN;
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  // Spreadsheets write them in capitals.
  return LITERALS.get(text.toLowerCase()) ?? parsed(text, Array.isArray) ?? text;
}

/** The value of one attribute. null is none. */
export function readAttribute(cell: Cell, isTyped: boolean): unknown {
  if (cell === null || cell === '') return null;
  const text = unescapeFormula(cell);
  return isTyped ? typed(text) : text;
}

/** All attributes, as JSON. What is none stays a text, and is refused. */
export function readAttributes(cell: Cell): unknown {
  if (cell === null || cell === '') return undefined;
  const text = unescapeFormula(cell);
  return parsed(text, () => true) ?? text;
}
