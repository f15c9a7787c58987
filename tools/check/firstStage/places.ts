import { DynamoDBClient, UpdateContinuousBackupsCommand } from '@aws-sdk/client-dynamodb';
import { stackOf } from '../../operate/stages.ts';
import { findToken } from '../../program/token.ts';
import { copyProject, type ProjectCopy } from '../projectCopy.ts';
import { accountAt } from '../rehearsal/account.ts';
import { SIGNING_SECRET } from '../rehearsal/doors.ts';
import { AUDIENCE, startIssuer } from '../rehearsal/issuer.ts';
import { ownerOf } from '../rehearsal/owner.ts';
import { prepared, rehearsalWith, runNode, type Settings } from '../rehearsal/rehearsal.ts';
import { CREDENTIALS, REGION, startStandIn } from '../rehearsal/standIn.ts';
import type { FirstStage } from './steps.ts';

/** An account for a throw-away stage. */
export interface Place {
  first: FirstStage;
  /** A sentence for the report. */
  about: string;
  end: () => Promise<void>;
}

/** AWS's own sink: SNS asks an address to confirm, and nobody is there. */
const EMAIL = 'success@simulator.amazonses.com';

const FRAMEWORK = 'node_modules/serverless/bin/serverless.js';

/** The smoke test needs an address, and lists that were folded once. */
const FIRST = ['deploy', 'invoke --function fold --data {}'];

const POOL = 'tools/deploy/stacks/pool.yml';

/** The stand-in's CloudFormation leaves point-in-time recovery off, whatever a template says. */
async function keepPast(config: FirstStage['account']['config'], stage: string): Promise<void> {
  const client = new DynamoDBClient(config);
  for (const table of ['users', 'directory']) {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    const TableName = `${stackOf(stage)}-${table}`;
    await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  }
}

/** AWS on this machine, by the stand-in of the rehearsal. */
export async function atStandIn(stage: string): Promise<Place> {
  const standIn = await startStandIn();
  const issuer = await startIssuer();
  const copy = prepared(copyProject());
  const { account, node, owner, refusals, token } = rehearsalWith(standIn, issuer, copy);
  const settings = async () => ({ TOKEN: await token('users:read', 'users:write', 'users:audit') });
  const doorSettings = async () => ({
    ...{ OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'door', OIDC_CLIENT_SECRET: 'secret', OIDC_AUDIENCE: AUDIENCE },
    ...CREDENTIALS,
  });
  const moreDoors = async () => ['queue'];
  return {
    first: {
      ...{ account, node, owner, refusals, token, stage, region: REGION, settings, doorSettings, moreDoors },
      keepPast: () => keepPast(account.config, stage),
      ...{ before: FIRST.map((options) => `${FRAMEWORK} ${options} --stage ${stage}`), prepare: prepared, patience: 0 },
    },
    about: 'It was deployed to MiniStack, a stand-in for AWS on one machine.',
    end: async () => {
      copy.remove();
      await standIn.stop();
    },
  };
}

/** The variables of a client at a user pool, which this makes unless the environment names an issuer. */
async function issuerAt(account: FirstStage['account'], stage: string): Promise<Settings & { pool?: string }> {
  if (process.env.OIDC_ISSUER) return {};
  const stack = `user-management-${stage}-issuer`;
  const { Pool = '', Issuer = '', Client = '', Secret = '' } = await account.makeStack(POOL, { Stage: stage }, stack);
  const client = { OIDC_ISSUER: Issuer, OIDC_CLIENT_ID: Client, OIDC_CLIENT_SECRET: Secret };
  return { ...client, OIDC_AUDIENCE: Client, OIDC_SCOPE_PREFIX: 'api/', pool: Pool };
}

/** An account of AWS, whose credentials are in the environment. */
export async function atAws(stage: string, region: string, isDeleting: boolean): Promise<Place> {
  const account = accountAt(undefined, region);
  const { pool, ...client } = isDeleting ? { pool: undefined } : await issuerAt(account, stage);
  // The token of this process is for the same client.
  Object.assign(process.env, client);
  const env = {
    ...process.env,
    AWS_REGION: region,
    ALARM_EMAIL: process.env.ALARM_EMAIL ?? EMAIL,
    DOOR_KEY: SIGNING_SECRET,
  };
  const node = (options: string, given: Settings = {}, folder = `${import.meta.dirname}/../../..`) =>
    runNode(options.split(' '), { ...env, ...given }, folder);
  const more = ['queue', 'webhook --to https://example.com/users', ...(pool ? [`follow --set Pool=${pool}`] : [])];
  return {
    first: {
      ...{ account, node, owner: ownerOf(undefined, region), stage, region },
      refusals: () => [],
      token: async () => (await findToken()) ?? '',
      keepPast: async () => {},
      settings: async () => ({}),
      doorSettings: async () => ({}),
      before: [],
      prepare: (copy: ProjectCopy) => copy,
      moreDoors: async () => more,
      // Firehose gathers for a quarter of an hour.
      patience: 25,
    },
    about: `It was deployed to AWS, in region ${region}.`,
    end: async () => {},
  };
}
