import type { DynamoAccess } from '../dynamodb/index.ts';
import type { Limits } from '../replica/limits.ts';

export interface TableNames {
  users: string;
  directory: string;
}

/** What a function needs to read or write users. */
export interface Database extends DynamoAccess {
  tables: TableNames;
  limits: Limits;
  /** Whether no two users may have the same e-mail address. */
  uniqueEmails?: boolean;
  /** For how many days changes are kept. 0 unless it is given: not at all. */
  historyDays?: number;
}
