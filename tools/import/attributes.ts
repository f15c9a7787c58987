/** Attributes in the cells of CSV, and what is none. */

import { parseExactly } from '../../lib/ground/index.ts';
import { unescapeFormula } from '../../lib/http/response/forms.ts';
import type { Cell } from './records.ts';

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined when a text is not JSON, or not of its kind. */
export function parsed(text: string, isOfKind: (value: unknown) => boolean): unknown {
  try {
    const value = parseExactly(text);
    return isOfKind(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** All attributes, as JSON. Other text stays a text, and is refused. */
export function readAttributes(cell: Cell): unknown {
  if (cell === null || cell === '') return undefined;
  const text = unescapeFormula(cell);
  return parsed(text, () => true) ?? text;
}
