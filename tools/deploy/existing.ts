import {
  type CloudFormationClient,
  type CloudFormationClientConfig,
  CloudFormationServiceException,
  DescribeStackResourceCommand,
} from '@aws-sdk/client-cloudformation';
import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../lib/users/database.ts';

/** What exists of a stage before it is deployed. */
export interface Existing {
  /** Whether the tables belong to the stack. */
  hasTables: boolean;
  users: TableDescription | undefined;
  directory: TableDescription | undefined;
}

/** The region and credentials of the framework. */
export type ClientConfig = Pick<CloudFormationClientConfig, 'region' | 'credentials'>;

export interface Clients {
  cloudFormation: CloudFormationClient;
  dynamo: DynamoDBClient;
}

/** CloudFormation has one error for everything invalid, including a missing stack or resource. */
export function unlessMissing(error: unknown): undefined {
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

/** CloudFormation records rolled back resources as deleted, even if they still exist. They no longer belong to the stack. */
const isThere = (status = 'DELETE_COMPLETE'): boolean =>
  !/^(DELETE_|CREATE_FAILED|IMPORT_(FAILED|ROLLBACK))/.test(status);

/** The id of a resource of a stack. Undefined if the stack does not have it. */
async function idIn(
  cloudFormation: CloudFormationClient,
  StackName: string,
  LogicalResourceId: string,
): Promise<string | undefined> {
  const found = await cloudFormation
    .send(new DescribeStackResourceCommand({ StackName, LogicalResourceId }))
    .catch(unlessMissing);
  const { PhysicalResourceId, ResourceStatus } = found?.StackResourceDetail ?? {};
  return isThere(ResourceStatus) ? PhysicalResourceId : undefined;
}

export async function readExisting(
  { cloudFormation, dynamo }: Clients,
  StackName: string,
  tables: TableNames,
): Promise<Existing> {
  const [table, users, directory] = await Promise.all([
    idIn(cloudFormation, StackName, 'UsersTable'),
    describeTable(dynamo, tables.users),
    describeTable(dynamo, tables.directory),
  ]);
  return {
    hasTables: table !== undefined,
    users,
    directory,
  };
}
