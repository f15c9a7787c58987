import type { User } from '../user.ts';
import { lastNameRows, pieceRows } from './lastNames.ts';
import { totalsRows } from './totals.ts';

/** One count that includes a user: a bucket of a key of a map. */
export interface Row {
  map: string;
  key: string;
  bucket: string;
  n: number;
}

/** All counts that include a user, except those of segments. */
export const rowsOf = (user: User): Row[] => [...totalsRows(user), ...lastNameRows(user), ...pieceRows(user)];
