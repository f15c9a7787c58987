import { stringify } from 'csv-stringify/sync';
import { user as userSchema } from '../../schemas/user.ts';
import { represent, type User } from '../users/user.ts';

/**
 * RFC 4180, with a header row. A value that a spreadsheet would take for a formula gets an apostrophe in front:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export const toCsv = (users: readonly User[], { header = true } = {}): string =>
  stringify(users.map(represent), {
    header,
    columns: Object.keys(userSchema.properties),
    record_delimiter: 'windows',
    escape_formulas: true,
  });
