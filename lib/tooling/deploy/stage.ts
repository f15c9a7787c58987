import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../users/database.ts';

/** What is there of a stage before it is deployed. */
export interface Stage {
  /** As CloudFormation calls it; undefined where there is no stack. */
  stackStatus: string | undefined;
  /** Whether the tables belong to the stack. */
  hasTables: boolean;
  users: TableDescription | undefined;
  directory: TableDescription | undefined;
}

export interface Clients {
  cloudFormation: CloudFormationClient;
  dynamo: DynamoDBClient;
}

/** CloudFormation has one error for a stack or resource that is not there and for all else that is not valid. */
function unlessMissing(error: unknown): undefined {
  const isMissing = error instanceof CloudFormationServiceException && /does not exist/.test(error.message);
  if (!isMissing) throw error;
}

export async function describeTable(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** What was rolled back is remembered as deleted, and no longer the stack's, even if it is still there. */
const isThere = (status = 'DELETE_COMPLETE'): boolean =>
  !/^(DELETE_|CREATE_FAILED|IMPORT_(FAILED|ROLLBACK))/.test(status);

export async function readStage(
  { cloudFormation, dynamo }: Clients,
  StackName: string,
  tables: TableNames,
): Promise<Stage> {
  const [stacks, table, users, directory] = await Promise.all([
    cloudFormation.send(new DescribeStacksCommand({ StackName })).catch(unlessMissing),
    cloudFormation
      .send(new DescribeStackResourceCommand({ StackName, LogicalResourceId: 'UsersTable' }))
      .catch(unlessMissing),
    describeTable(dynamo, tables.users),
    describeTable(dynamo, tables.directory),
  ]);
  return {
    stackStatus: stacks?.Stacks?.[0]?.StackStatus,
    hasTables: table !== undefined && isThere(table.StackResourceDetail?.ResourceStatus),
    users,
    directory,
  };
}
