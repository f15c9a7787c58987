import type { User } from '../user.ts';
import { lastNameRows, pieceRows } from './lastNames.ts';
import { totalsRows } from './totals.ts';

/** One count to which a user adds: under a key of a map, for a bucket. */
export interface Row {
  map: string;
  key: string;
  bucket: string;
  n: number;
}

/** All counts to which a user adds, but for those of segments. */
export const rowsOf = (user: User): Row[] => [...totalsRows(user), ...lastNameRows(user), ...pieceRows(user)];
