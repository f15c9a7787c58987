import type { User } from '../user.ts';
import { lastNameRows } from './lastNames.ts';
import { totalsRows } from './totals.ts';

/** One count in which a user counts: under a key of a map, for a bucket. */
export interface Row {
  map: string;
  key: string;
  bucket: string;
}

/** All rows in which a user counts. */
export const rowsOf = (user: User): Row[] => [...totalsRows(user), ...lastNameRows(user)];
