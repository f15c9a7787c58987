import { spawn } from 'node:child_process';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDynamo } from '../../../lib/dynamodb/client.ts';
import { systemRuntime } from '../../../lib/runtime.ts';
import type { TableNames } from '../../../lib/users/database.ts';
import { createFold } from '../../../lib/users/fold/fold.ts';
import { createUserListing } from '../../../lib/users/listing/listing.ts';
import { SIZES } from '../../../lib/users/sizes.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { useLocalCredentials } from '../../local/environment.ts';
import { type Running, runUntilEnded } from './running.ts';
import type { StandIn } from './standIn.ts';

export const REGION = 'eu-central-1';

/** The header of a request to the stand-in that is not signed: it only reads which service and region are meant. */
export const authorizationFor = (service: string): string =>
  `AWS4-HMAC-SHA256 Credential=rehearsal/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=none`;

/** For how long changes are kept. */
export const HISTORY_DAYS = 7;

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

export interface Outcome {
  isWell: boolean;
  said: string;
}

type Settings = Record<string, string>;

function runNode(options: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Outcome> {
  const child = spawn(process.execPath, options, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const collect = (chunk: Buffer) => {
    said += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return new Promise((resolve) => child.once('close', (code) => resolve({ isWell: code === 0, said })));
}

/** The actions that the steps of a rehearsal use. */
export interface Rehearsal {
  standIn: StandIn;
  dynamo: DynamoDBClient;
  /** Another version of the project may be in another folder. */
  serverless(options: string, settings?: Settings, folder?: string): Promise<Outcome>;
  verify(options: string, settings?: Settings, folder?: string): Promise<Outcome>;
  /** Any program of the project. */
  node(options: string, settings?: Settings): Promise<Outcome>;
  /** A program that runs until it is told to end, in the project's own folder: a service needs its functions. */
  start(options: string, settings?: Settings): Running;
  service(tables: TableNames): Service;
}

export type Service = ReturnType<typeof serviceOf>;

function serviceOf(endpoint: string, tables: TableNames) {
  const database = { dynamo: createDynamo({ endpoint }), tables, runtime: systemRuntime, sizes: SIZES };
  const fold = createFold(database, { minimumAgeMs: 0, writtenToDeleteMs: 0, restMs: 0, historyDays: HISTORY_DAYS });
  return { users: createUserStore(database), listing: createUserListing(database), fold, database };
}

/** @param project the folder that stages are deployed from */
export function rehearsalWith(standIn: StandIn, project: string): Rehearsal {
  const { endpoint } = standIn;
  const env = environment(endpoint);
  useLocalCredentials();
  process.env.AWS_REGION = REGION;
  const node = (options: string, settings: Settings = {}, folder = project) =>
    runNode(options.split(' '), { ...env, ...settings }, folder);
  return {
    standIn,
    dynamo: new DynamoDBClient({ endpoint, region: REGION }),
    serverless: (options, ...more) => node(`node_modules/serverless/bin/serverless.js ${options}`, ...more),
    verify: (options, ...more) => node(`tools/operate/verify.ts ${options}`, ...more),
    node,
    start: (options, settings) => runUntilEnded(options.split(' '), { ...env, ...settings }, process.cwd()),
    service: (tables) => serviceOf(endpoint, tables),
  };
}
