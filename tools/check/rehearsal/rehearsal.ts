import { execFile } from 'node:child_process';
import { APIGatewayClient, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { templateOf } from '../../deploy/existing.ts';
import { describeTable } from '../../local/tables.ts';
import { useLocalCredentials } from '../../local/workFolder.ts';
import { stackOf } from '../../operate/stages.ts';

const REGION = 'eu-central-1';

const ROLE_FOR_LOGS = {
  op: 'replace',
  path: '/cloudwatchRoleArn',
  value: 'arn:aws:iam::123456789012:role/api-gateway-logs',
} as const;

const ISSUER = { OIDC_ISSUER: 'https://id.example.com', OIDC_AUDIENCE: 'rehearsal', ALARM_EMAIL: 'ops@example.com' };

/** Variables of the user's environment must not lead to AWS. */
const environment = (endpoint: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(AWS_|OIDC_|SLS_|USERS_|DIRECTORY_)/.test(name)),
  ),
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: REGION,
  AWS_ACCESS_KEY_ID: 'rehearsal',
  AWS_SECRET_ACCESS_KEY: 'rehearsal',
  // Milliseconds between looks at a deployment. The stand-in answers at once.
  SLS_AWS_MONITORING_FREQUENCY: '200',
  ...ISSUER,
});

export type Settings = Record<string, string>;

/** How a program ended, and all that it printed. */
export interface Ending {
  isWell: boolean;
  said: string;
}

const runNode = (options: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Ending> =>
  new Promise((resolve) => {
    const end = (error: Error | null, ...said: string[]) => resolve({ isWell: error === null, said: said.join('') });
    execFile(process.execPath, options, { cwd, env }, end);
  });

/** What the steps of a rehearsal use. */
export type Rehearsal = ReturnType<typeof rehearsalWith>;

/**
 * @param endpoint of the stand-in for AWS
 * @param project the folder that stages are deployed from
 */
export function rehearsalWith(endpoint: string, project: string) {
  const env = environment(endpoint);
  useLocalCredentials();
  process.env.AWS_REGION = REGION;
  const config = { endpoint, region: REGION };
  const dynamo = new DynamoDBClient(config);
  const cloudFormation = new CloudFormationClient(config);
  const node = (options: string, settings: Settings = {}, folder = project) =>
    runNode(options.split(' '), { ...env, ...settings }, folder);
  return {
    /** Any program of the project. */
    node,
    /** Another version of the project may be in another folder. */
    serverless: (options: string, settings?: Settings, folder?: string) =>
      node(`node_modules/serverless/bin/serverless.js ${options}`, settings, folder),
    tables: async () => (await dynamo.send(new ListTablesCommand({}))).TableNames?.toSorted() ?? [],
    isProtected: async (TableName: string) =>
      (await describeTable(dynamo, TableName))?.DeletionProtectionEnabled ?? false,
    /** What docs/account.yml does. */
    giveRoleForLogs: () =>
      new APIGatewayClient(config).send(new UpdateAccountCommand({ patchOperations: [ROLE_FOR_LOGS] })),
    /** The template of a stage, without resources if there is no stack. */
    template: (stage: string): Promise<string> => templateOf(cloudFormation, stackOf(stage)),
  };
}
