import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { announce } from '../../lib/local/serviceFile.ts';
import { countedCells } from '../support/recount.ts';
import { freePort } from '../support/service.ts';
import { createTestService, type TestService } from '../support/store.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

interface Outcome {
  status: number | string | null | undefined;
  stdout: string[];
  stderr: string;
}

/** The command as an operator runs it, with no more of this environment than it has there. */
function verify(options: string[], env: Record<string, string>): Promise<Outcome> {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));
  const quiet = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
  const command = ['node_modules/tsx/dist/cli.mjs', 'lib/operations/verify.ts', ...options];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: ROOT, env: { ...inherited, ...quiet, ...env } }, (error, out, stderr) =>
      resolve({ status: error ? error.code : 0, stdout: out.split('\n').filter(Boolean), stderr }),
    );
  });
}

const cost = expect.stringMatching(/^[\d.,]+ read units, [\d.,]+ write units, [\d.]+ s$/);

const setCount = ({ dynamo, tables }: Pick<TestService, 'dynamo' | 'tables'>, n: number) =>
  dynamo.send(
    new UpdateCommand({
      TableName: tables.directory,
      Key: { pk: 'count', sk: 'Vertraulich\0Xanadu\x000' },
      UpdateExpression: 'SET n = :n',
      ExpressionAttributeValues: { ':n': n },
    }),
  );

const secret = { name: 'Geheim', lastName: 'Geheimrat', status: 'Vertraulich', country: 'Xanadu' };

const SECRETS = /geheim|vertraulich|xanadu|\b\d{15,16}\b/i;

describe('npm run verify', () => {
  test('recounts and repairs the service on this machine, and tells nothing of its users', async () => {
    const service = await createTestService();
    for (let n = 0; n < 3; n++) await service.users.create(secret);
    const port = await freePort();
    announce(port, { endpoint: inject('endpoint'), region: 'local', tables: service.tables });
    const env = { PORT: String(port) };
    const right = await verify([], env);
    expect(right).toMatchObject({
      status: 0,
      stdout: ['3 users and 10 rows checked', 'no differences found', cost],
      stderr: expect.stringContaining('3/3 users'),
    });

    await setCount(service, 8);
    const wrong = await verify([], env);
    expect(wrong).toMatchObject({
      status: 1,
      stdout: ['3 users and 10 rows checked', 'count row: wrong count: 1 found, 0 repaired', cost],
    });

    const repaired = await verify(['--repair'], env);
    expect(repaired).toMatchObject({
      status: 0,
      stdout: ['3 users and 10 rows checked', 'count row: wrong count: 1 found, 1 repaired', cost],
    });
    expect(await countedCells(service)).toEqual({ 'Vertraulich/Xanadu': 3 });
    expect(JSON.stringify([right, wrong, repaired])).not.toMatch(SECRETS);
  });
});

describe('npm run verify -- --stage', () => {
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: inject('endpoint'),
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_REGION: 'local',
  };

  test('finds the tables of the stage by their names, in the region that it is given', async () => {
    const stage = randomUUID();
    const tables = { users: `user-management-${stage}-users`, directory: `user-management-${stage}-directory` };
    const deployed = await createTestService({}, tables);
    await deployed.users.create(secret);
    await setCount(deployed, 7);
    const { AWS_REGION: region, ...others } = env;
    expect(await verify(['--stage', stage, '--region', region, '--repair'], others)).toMatchObject({
      status: 0,
      stdout: ['1 users and 10 rows checked', 'count row: wrong count: 1 found, 1 repaired', cost],
    });
  });

  test('uses the tables that the environment names', async () => {
    const { users, tables } = await createTestService();
    await users.create(secret);
    const named = { ...env, USERS_TABLE: tables.users, DIRECTORY_TABLE: tables.directory };
    expect(await verify(['--stage', 'none'], named)).toMatchObject({
      status: 0,
      stdout: ['1 users and 10 rows checked', 'no differences found', cost],
    });
  });

  test('that is not there ends with one sentence', async () => {
    const { status, stdout, stderr } = await verify(['--stage', 'none'], env);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: [],
      stderr: expect.stringMatching(
        /^Tables user-management-none-users and user-management-none-directory were not verified: .*ResourceNotFoundException[^\n]*\n$/,
      ),
    });
  });

  test('in a store that cannot be reached ends with one sentence', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const { status, stdout, stderr } = await verify(['--stage', 'none'], {
      ...env,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: [],
      stderr: expect.stringMatching(
        /^Tables [^\n]+ were not verified: DynamoDB is not available: [^\n]*ECONNREFUSED[^\n]*\n$/,
      ),
    });
  });
});

describe('npm run verify with', () => {
  test.each([
    [[], 'No service runs on port 1. Start one with "npm start", or name its port in PORT.'],
    [['--region', 'eu-west-1'], '--region goes with --stage'],
    [['--stage='], '--stage must be the name of a stage'],
    [['--stage'], "Option '--stage <value>' argument missing"],
    [['--fix'], "Unknown option '--fix'"],
  ])('%j says: %s', async (options, message) => {
    const { status, stdout, stderr } = await verify(options, { PORT: '1' });
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: [], stderr: `${message}\n` });
  });
});
