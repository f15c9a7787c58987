import { stringify } from 'csv-stringify/sync';
import { user as userSchema } from '../../../schemas/user.ts';
import { type ListedUser, represent } from '../../users/user.ts';
import { escapeFormula } from './formulas.ts';

/** An empty text is quoted, so that a reader can tell it from a missing value. */
const toCell = (text: string) => (text === '' ? { value: text, quoted_empty: true } : escapeFormula(text));

/** RFC 4180, with a header row. Texts that look like formulas are escaped. */
export const toCsv = (users: readonly ListedUser[], { header = true } = {}): string =>
  stringify(users.map(represent), {
    header,
    columns: Object.keys(userSchema.properties),
    record_delimiter: 'windows',
    cast: { string: toCell },
  });
