import type { DynamoAccess } from '../dynamodb/client.ts';
import type { Sizes } from './sizes.ts';

export interface TableNames {
  users: string;
  directory: string;
}

/** What a function needs to read or write users. */
export interface Database extends DynamoAccess {
  tables: TableNames;
  sizes: Sizes;
  /** Whether no two users may have the same e-mail address. */
  uniqueEmails?: boolean;
}
