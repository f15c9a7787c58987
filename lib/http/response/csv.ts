import { stringify } from 'csv-stringify/sync';
import { user as userSchema } from '../../../schemas/user.ts';
import { represent, type User } from '../../users/user.ts';
import { guard } from './formulas.ts';

/** An empty text stands in quotes, so that whoever reads it can tell it from no value. */
const writeText = (text: string) => (text === '' ? { value: text, quoted_empty: true } : guard(text));

/** RFC 4180, with a header row. Texts are guarded, see there. */
export const toCsv = (users: readonly User[], { header = true } = {}): string =>
  stringify(users.map(represent), {
    header,
    columns: Object.keys(userSchema.properties),
    record_delimiter: 'windows',
    cast: { string: writeText },
  });
