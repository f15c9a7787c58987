import { readFileSync } from 'node:fs';
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { templateOf, unlessMissing } from '../../deploy/existing.ts';
import { describeTable } from '../../deploy/tables.ts';
import { stackOf } from '../../operate/stages.ts';
import { CREDENTIALS, REGION } from './standIn.ts';

const MAX_WAIT_SECONDS = 600;

function configOf(endpoint: string | undefined, region: string) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = CREDENTIALS;
  return endpoint === undefined ? { region } : { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
}

/** The account of the stand-in, or of AWS without an endpoint, as its owner sees it and works in it. */
export function accountAt(endpoint: string | undefined, region: string = REGION) {
  const config = configOf(endpoint, region);
  const dynamo = new DynamoDBClient(config);
  const client = new CloudFormationClient(config);
  /** The name that a resource of a stack has in the account. */
  async function resource(StackName: string, LogicalResourceId: string): Promise<string> {
    const found = await client.send(new DescribeStackResourceCommand({ StackName, LogicalResourceId }));
    return String(found.StackResourceDetail?.PhysicalResourceId);
  }
  const apiAt = (id: string): string =>
    endpoint === undefined ? `https://${id}.execute-api.${region}.amazonaws.com` : `${endpoint}/_aws/execute-api/${id}`;
  return {
    tables: async () => (await dynamo.send(new ListTablesCommand({}))).TableNames?.toSorted() ?? [],
    isProtected: async (TableName: string) =>
      (await describeTable(dynamo, TableName))?.DeletionProtectionEnabled ?? false,
    /** The template of a stage, without resources if there is no stack. */
    template: (stage: string): Promise<string> => templateOf(client, stackOf(stage)),
    resource,
    hasStack: async (StackName: string): Promise<boolean> =>
      (await client.send(new DescribeStacksCommand({ StackName })).catch(unlessMissing)) !== undefined,
    config,
    client,
    addressOf: async (stage: string): Promise<string> =>
      `${apiAt(await resource(stackOf(stage), 'ApiGatewayRestApi'))}/${stage}`,
    /** Where a door with code is, by its stack. */
    doorAddress: async (stack: string): Promise<string> => apiAt(await resource(stack, 'HttpApi')),
    /** Makes a stack from a template that is written by hand. @returns its outputs */
    async makeStack(
      file: string,
      parameters: Record<string, string> = {},
      StackName = file.replaceAll(/\W+/g, '-'),
    ): Promise<Record<string, string>> {
      const TemplateBody = readFileSync(file, 'utf8');
      const entries = Object.entries(parameters);
      const Parameters = entries.map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue }));
      const Capabilities = ['CAPABILITY_NAMED_IAM' as const];
      await client.send(new CreateStackCommand({ StackName, TemplateBody, Parameters, Capabilities }));
      await waitUntilStackCreateComplete({ client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 1 }, { StackName });
      const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
      const outputs = Stacks[0]?.Outputs ?? [];
      return Object.fromEntries(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
    },
  };
}
