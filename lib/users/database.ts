import type { Storage } from '../replica/index.ts';
import type { Limits } from './limits.ts';

export type TableNames = Storage['tables'];

/** What a function needs to read or write users. */
export interface Database extends Storage {
  limits: Limits;
  /** Whether no two users may have the same e-mail address. */
  uniqueEmails?: boolean;
  /** For how many days changes are kept. 0 unless it is given: not at all. */
  historyDays?: number;
}
