import { stringify } from 'csv-stringify/sync';
import { attributeIn, attributeOf } from '../../users/attributes.ts';
import type { Member, ShownUser } from '../parameters/fields.ts';
import { escapeFormula } from './formulas.ts';

/** An empty text is quoted, so that a reader can tell it from a missing value. */
const toCell = (text: string) => (text === '' ? { value: text, quoted_empty: true } : escapeFormula(text));

/** JSON of an array, and of all attributes: a reader gets back what there is, whatever is in the texts. */
function written(value: unknown): unknown {
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'boolean' ? String(value) : value;
}

function memberOf(user: ShownUser, column: Member): unknown {
  const name = attributeIn(column);
  return name === undefined ? user[column as keyof ShownUser] : attributeOf(user.attributes, name);
}

/** RFC 4180, without a header row and the last line break. Texts that look like formulas are escaped. */
export const toRows = (users: readonly ShownUser[], columns: readonly Member[]): string =>
  stringify(
    users.map((user) => columns.map((column) => written(memberOf(user, column)))),
    { record_delimiter: 'windows', eof: false, cast: { string: toCell } },
  );
