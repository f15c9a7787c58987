import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  CloudFormationServiceException,
  DescribeStackResourceCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../lib/users/database.ts';
import { describeTable } from './tables.ts';

/** The resources of a stage that exist before it is deployed. */
export type Existing = Awaited<ReturnType<typeof readExisting>>;

/** The region and credentials of the framework. */
export type ClientConfig = Pick<CloudFormationClientConfig, 'region' | 'credentials'>;

/** CloudFormation has one error for everything invalid, including a missing stack or resource. */
export function unlessMissing(error: unknown): undefined {
  const isMissing = error instanceof CloudFormationServiceException && /does not exist/.test(error.message);
  if (!isMissing) throw error;
}

/** The template of a stack. Without resources if there is no stack. */
export async function templateOf(client: CloudFormationClient, StackName: string): Promise<string> {
  const found = await client.send(new GetTemplateCommand({ StackName })).catch(unlessMissing);
  return found?.TemplateBody ?? '{"Resources":{}}';
}

/** CloudFormation records rolled back resources as deleted, even if they still exist. They no longer belong to the stack. */
const NOT_THERE = /^(DELETE_|CREATE_FAILED|IMPORT_(FAILED|ROLLBACK))/;

export async function readExisting(config: ClientConfig, StackName: string, tables: TableNames) {
  const dynamo = new DynamoDBClient(config);
  const [inStack, users, directory] = await Promise.all([
    new CloudFormationClient(config)
      .send(new DescribeStackResourceCommand({ StackName, LogicalResourceId: 'UsersTable' }))
      .catch(unlessMissing),
    describeTable(dynamo, tables.users),
    describeTable(dynamo, tables.directory),
  ]);
  const status = inStack?.StackResourceDetail?.ResourceStatus;
  /** Whether the tables belong to the stack. */
  const hasTables = status !== undefined && !NOT_THERE.test(status);
  return { hasTables, users, directory };
}
