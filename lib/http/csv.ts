import { stringify } from 'csv-stringify/sync';
import { user as userSchema } from '../../schemas/user.ts';
import { represent, type User } from '../users/user.ts';
import { guard } from './formulas.ts';

/** RFC 4180, with a header row. Texts are guarded, see there. */
export const toCsv = (users: readonly User[], { header = true } = {}): string =>
  stringify(users.map(represent), {
    header,
    columns: Object.keys(userSchema.properties),
    record_delimiter: 'windows',
    cast: { string: guard },
  });
