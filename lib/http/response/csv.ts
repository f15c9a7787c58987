import { stringify } from 'csv-stringify/sync';
import type { ShownUser } from '../members.ts';
import { escapeFormula } from './formulas.ts';

/** An empty text is quoted, so that a reader can tell it from a missing value. */
const toCell = (text: string) => (text === '' ? { value: text, quoted_empty: true } : escapeFormula(text));

/** RFC 4180, without a header row and the last line break. Texts that look like formulas are escaped. */
export const toRows = (users: readonly ShownUser[], columns: readonly string[]): string =>
  stringify([...users], { columns: [...columns], record_delimiter: 'windows', eof: false, cast: { string: toCell } });
