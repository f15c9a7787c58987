/**
 * `npm run drill -- --stage prod`: restores the tables of a stage under other names, verifies the restored ones as before they serve, and
 * deletes them. The stage goes on. The exit code is 0 if the restored users are whole, 1 if they are not, and 2 if that is not known.
 */
import { spawnSync } from 'node:child_process';
import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { systemRuntime } from '../../lib/ground/index.ts';
import { findRegion } from '../deploy/region.ts';
import { describeTable } from '../deploy/tables.ts';
import { readOptions, TEXT } from '../program/options.ts';
import { runMain } from '../program/stop.ts';
import { requireCredentials } from './credentials.ts';
import { type DrillActions, drilled, drillTable } from './restoration.ts';
import { readStage, stackOf } from './stages.ts';

const USAGE = `Usage: npm run drill -- --stage <stage>
  --stage <stage>    the stage whose tables are restored; it needs point-in-time recovery, which staging and prod have
  --region <region>  otherwise as the AWS command line finds it, or eu-central-1`;

const OPTIONS = { stage: TEXT, region: TEXT };

function actionsOn(client: DynamoDBClient, env: NodeJS.ProcessEnv): DrillActions {
  return {
    async latest(TableName) {
      const found = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
      const { PointInTimeRecoveryDescription } = found.ContinuousBackupsDescription ?? {};
      return PointInTimeRecoveryDescription?.LatestRestorableDateTime;
    },
    async restore(SourceTableName, RestoreDateTime) {
      const TargetTableName = drillTable(SourceTableName);
      await client.send(new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime }));
    },
    statusOf: async (table) => (await describeTable(client, table))?.TableStatus,
    remove: async (TableName) => void (await client.send(new DeleteTableCommand({ TableName }))),
    verify(tables, options) {
      const [USERS_TABLE, DIRECTORY_TABLE] = tables.map(drillTable);
      const program = [`${import.meta.dirname}/verify.ts`, ...options];
      return spawnSync(process.execPath, program, { stdio: 'inherit', env: { ...env, USERS_TABLE, DIRECTORY_TABLE } })
        .status;
    },
  };
}

async function main(): Promise<number> {
  const options = readOptions(OPTIONS, USAGE);
  const stage = readStage(options.stage, USAGE);
  const region = await findRegion(options.region);
  const client = new DynamoDBClient({ region });
  await requireCredentials(client.config, 'Nothing was restored');
  const stack = stackOf(stage);
  const verifying = { ...process.env, AWS_REGION: region };
  const actions = actionsOn(client, verifying);
  const [exitCode, sentence] = await drilled(stage, [`${stack}-users`, `${stack}-directory`], actions, systemRuntime);
  process.stdout.write(`${sentence}\n`);
  return exitCode;
}

runMain(main);
