import {
  type CreateTableCommandInput,
  type DynamoDBClient,
  type SSESpecification,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../lib/users/database.ts';
import { isSameShape } from '../local/tables.ts';
import type { Resource } from './resource.ts';
import type { Stage } from './stage.ts';

const MAX_WAIT_SECONDS = 120;

/** States of a stack that a deployment cannot repair, and what can. */
const DEAD_ENDS: Record<string, string> = {
  ROLLBACK_COMPLETE: 'was never created: remove it with "npx serverless remove", then deploy again',
  ROLLBACK_FAILED: 'was never created: remove it with "npx serverless remove", then deploy again',
  DELETE_FAILED: 'is half removed: run "npx serverless remove" again, then deploy',
  UPDATE_ROLLBACK_FAILED:
    'could not be rolled back: run "aws cloudformation continue-update-rollback", then deploy again',
};

interface Wish {
  stage: string;
  isAdopting: boolean;
  users: CreateTableCommandInput;
  directory: CreateTableCommandInput;
}

const ADOPTION = 'docs/runbook.md, "A stack that is gone"';

/** Tables that outlived their stack are used only if somebody asks for it. */
export const askForAdoption = ({ users, directory }: TableNames, stage: string): string =>
  `Tables ${users} and ${directory} already exist and belong to no stack: deploy with --adopt to use them for stage ${stage} (${ADOPTION}).`;

/** What to do about a stack that cannot be deployed to, in one sentence. Undefined if it can. */
export function deadEndOf({ stackStatus = '' }: Stage, stack: string): string | undefined {
  const deadEnd = DEAD_ENDS[stackStatus];
  return deadEnd && `Stack ${stack} ${deadEnd}.`;
}

/** Why a stage cannot be deployed with the existing tables, and what to do, in one sentence. Undefined if it can. */
export function refusalOf(found: Stage, { stage, isAdopting, ...wanted }: Wish): string | undefined {
  if (found.hasTables) return undefined;
  const { TableName: users = '' } = wanted.users;
  const { TableName: directory = '' } = wanted.directory;
  if (!found.users && !found.directory) {
    return isAdopting ? `There are no tables ${users} and ${directory} to adopt: leave out --adopt.` : undefined;
  }
  if (!found.users || !found.directory) {
    const [there, missing] = found.users ? [users, directory] : [directory, users];
    return `Table ${there} exists without ${missing} and belongs to no stack: restore the other one, too, or delete this one (${ADOPTION}).`;
  }
  if (!isAdopting) return askForAdoption({ users, directory }, stage);
  const other = ([found.users, found.directory] as const).find(
    (table, i) => !isSameShape(table, [wanted.users, wanted.directory][i] ?? wanted.users),
  );
  return other
    ? `Table ${other.TableName} has other keys, attributes or indexes than this version: adopt it with the version that was deployed last, then deploy this one.`
    : undefined;
}

/** The settings of a table in a template, besides its keys and indexes. */
interface Settings {
  StreamSpecification?: { StreamViewType: 'KEYS_ONLY' };
  TimeToLiveSpecification?: { AttributeName: string };
  PointInTimeRecoverySpecification?: { PointInTimeRecoveryEnabled: boolean };
  DeletionProtectionEnabled?: boolean;
  SSESpecification?: SSESpecification;
}

const isStreaming = ({ StreamSpecification }: TableDescription): boolean => StreamSpecification?.StreamEnabled === true;

/** Restored tables lack time to live. DynamoDB refuses to turn it on twice. */
const unlessOn = (error: Error): void => {
  if (!/already enabled/.test(error.message)) throw error;
};

/**
 * CloudFormation imports a table as it is, but records it as the template has it. A restored table lacks some settings. They
 * are turned on before the import, so that both are the same. That includes the stream, whose name the template needs.
 */
export async function makeReady(client: DynamoDBClient, table: TableDescription, { Properties }: Resource) {
  const { TableName } = table;
  const settings: Settings = Properties;
  const active = () => waitUntilTableExists({ client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 1 }, { TableName });
  if (settings.DeletionProtectionEnabled) await protect(client, table);
  await active();
  if (settings.StreamSpecification && !isStreaming(table)) {
    const StreamSpecification = { StreamEnabled: true, ...settings.StreamSpecification };
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    await active();
  }
  const { SSESpecification } = settings;
  const kmsKey = SSESpecification?.KMSMasterKeyId;
  if (kmsKey !== undefined && table.SSEDescription?.KMSMasterKeyArn !== kmsKey) {
    await client.send(new UpdateTableCommand({ TableName, SSESpecification }));
    await active();
  }
  if (settings.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled) {
    const { PointInTimeRecoverySpecification } = settings;
    await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  }
  if (settings.TimeToLiveSpecification) {
    const TimeToLiveSpecification = { Enabled: true, ...settings.TimeToLiveSpecification };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })).catch(unlessOn);
  }
}

export async function protect(client: DynamoDBClient, table: TableDescription): Promise<void> {
  if (table.DeletionProtectionEnabled) return;
  await client.send(new UpdateTableCommand({ TableName: table.TableName, DeletionProtectionEnabled: true }));
}

interface ChangeSets {
  getCreateChangeSetParams?: (request: object) => object;
}

/**
 * Lets a deployment import existing resources that have names of the template and outlive the stack: adopted tables, and log
 * groups of a stage or function that existed before. The framework has no setting for it.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 *
 * @param name of the framework's plugin that makes the change set
 */
export function importExisting(plugins: readonly object[], name: 'AwsDeploy' | 'AwsRollback'): void {
  const deployment: ChangeSets | undefined = plugins.find((plugin) => plugin.constructor.name === name);
  const original = deployment?.getCreateChangeSetParams;
  if (!deployment || !original) throw new Error('The framework no longer makes change sets as this plugin expects');
  deployment.getCreateChangeSetParams = (request) => ({
    ...original.call(deployment, request),
    ImportExistingResources: true,
  });
}
