import type { DynamoAccess } from '../dynamodb/client.ts';
import type { Sizes } from './sizes.ts';

export interface TableNames {
  users: string;
  directory: string;
}

/** What everything that reads or writes users needs. */
export interface Database extends DynamoAccess {
  tables: TableNames;
  sizes: Sizes;
}
