import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Runtime } from '../runtime.ts';
import type { Sizes } from './sizes.ts';

export interface TableNames {
  users: string;
  directory: string;
}

/** What everything that reads or writes users needs. */
export interface Database {
  dynamo: DynamoDBDocumentClient;
  tables: TableNames;
  runtime: Runtime;
  sizes: Sizes;
}
