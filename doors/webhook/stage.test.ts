import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { caller, createOver } from '../../tests/support/httpService.ts';
import { issuerForFile, serviceForFile } from '../../tests/support/localService.ts';
import { startProgram, temporaryFolder } from '../../tests/support/programs.ts';
import { storeEndpoint } from '../../tests/support/shared.ts';
import { SECRET, sentIn, startReceiver, verify } from '../../tests/support/webhooks.ts';
import { findDoor } from '../../tools/doors/doors.ts';
import { bundleDoor } from '../../tools/doors/packaging.ts';

/** The function of Lambda, as it is deployed, with a table of the embedded DynamoDB and an issuer. */
const issuer = await issuerForFile();
const service = await serviceForFile({
  env: { JOURNAL_REST_MS: '0', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'user-management' },
});
const call: ReturnType<typeof caller> = async (method, path, options = {}) => {
  const authorization = `Bearer ${await issuer.sign({ scope: 'users:read users:write users:audit' })}`;
  return caller(service.url)(method, path, { ...options, headers: { authorization } });
};
const create = createOver(call);

const folder = temporaryFolder();
await bundleDoor(findDoor('webhook'), folder);
/** The SDK of Lambda, which has one secret. */
const sdk = join(folder, 'node_modules/@aws-sdk/client-secrets-manager');
mkdirSync(sdk, { recursive: true });
writeFileSync(
  join(sdk, 'index.js'),
  `exports.SecretsManager = class {
    getSecretValue = async () => ({ SecretString: '{"clientSecret":"secret","token":"${SECRET}"}' });
  };`,
);
const endpoint = await storeEndpoint();
const aws = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'local' };

async function makeTable(): Promise<string> {
  const TableName = `webhook-${crypto.randomUUID()}`;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const key = { AttributeName: 'pk' };
  await new DynamoDBClient({ endpoint, region: 'local', credentials }).send(
    new CreateTableCommand({
      ...{ TableName, BillingMode: 'PAY_PER_REQUEST' },
      AttributeDefinitions: [{ ...key, AttributeType: 'S' }],
      KeySchema: [{ ...key, KeyType: 'HASH' }],
    }),
  );
  return TableName;
}

/** The time of a run that has time for its work, and a later clock. */
const CALL = `
const [remaining, later] = process.argv.slice(1).map(Number);
const now = Date.now;
Date.now = () => now() + later;
require('./index.cjs').handler({}, { getRemainingTimeInMillis: () => remaining }).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});`;

/** A function that calls the one of Lambda, each time in a process of its own, which is a call of the schedule. */
async function deploy(to: string) {
  const env = {
    ...{ ...aws, AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE: await makeTable(), SERVICE_URL: service.url, TO: to },
    ...{ SECRET: 'arn:secret', DEPLOYMENT: 'first', OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'smoke' },
    OIDC_CLIENT_SCOPE: 'users:audit',
  };
  const start = ({ remaining = 60_000, later = 0, ...more }: Record<string, number> = {}) =>
    startProgram(process.execPath, ['-e', CALL, String(remaining), String(later)], {
      cwd: folder,
      env: { ...env, ...more },
    });
  const run = async (...options: Parameters<typeof start>) => {
    const { code, stdout, stderr } = await start(...options).ended;
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  expect(await run()).toBe('The door follows the feed from now on\n');
  return { start, run };
}

const inFeed = (count: number) =>
  expect
    .poll(async () => {
      const { body } = await call('GET', '/api/users/changes?size=1000');
      return (body as { changes: object[] }).changes.length;
    })
    .toBe(count);
let changes = 0;

async function people(count: number): Promise<number[]> {
  const ids = await Promise.all(
    Array.from({ length: count }, async (_, i) => (await create({ name: `User ${i}` })).id),
  );
  changes += count;
  await inFeed(changes);
  return ids;
}

test('the function is one file, keeps its place, and ends before its time is over', async () => {
  const { url, got } = await startReceiver();
  const { run } = await deploy(url);
  const [id] = await people(1);
  expect(await run({ remaining: 40_000 })).toBe('');
  expect(await run()).toBe(`User ${id} version 1 created: 204\n`);
  expect(await run()).toBe('');
  expect(got.map((each) => each.id)).toEqual([id]);
  for (const each of got) verify(each);
});

test('a run that is killed after it has sent changes lets the next one send them again, with the same ids', async () => {
  let kill = () => {};
  const { url, got } = await startReceiver(() => kill());
  const { start, run } = await deploy(url);
  const ids = await people(1);
  const killed = start();
  kill = () => killed.child.kill('SIGKILL');
  await killed.ended;
  kill = () => {};
  expect(got.map(({ id }) => id)).toEqual(ids);
  // The memory belongs to the run that has died, until its time is over.
  expect(await run()).toBe('');
  expect(await run({ later: 66_000 })).toBe(`User ${ids[0]} version 1 created: 204\n`);
  expect(got.map(({ id }) => id)).toEqual([...ids, ...ids]);
  expect(new Set(got.map((each) => sentIn(each)[0])).size).toBe(1);
});

test('of runs at the same time one sends everything, once, and the others do nothing', async () => {
  let [isHeld, answer] = [true, () => {}];
  const { url, got, taken } = await startReceiver(() => isHeld && new Promise<void>((resolve) => (answer = resolve)));
  const { start, run } = await deploy(url);
  const [ann] = await people(1);
  const first = start();
  await expect.poll(() => got.length).toBe(1);
  isHeld = false;
  const ids = await people(20);
  expect(await Promise.all([run(), run()])).toEqual(['', '']);
  answer();
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
  expect([ann, ...ids].map((id) => taken(Number(id)))).toEqual([ann, ...ids].map(() => [1]));
  expect(got.length).toBe(21);
});

test('a run whose time was over while it waited for an answer writes nothing over the state of the next one', async () => {
  let [isHeld, answer] = [true, () => {}];
  const { url, got } = await startReceiver(() => isHeld && new Promise<void>((resolve) => (answer = resolve)));
  const { start, run } = await deploy(url);
  const [ann] = await people(1);
  const late = start();
  await expect.poll(() => got.length).toBe(1);
  isHeld = false;
  expect(await run({ later: 66_000 })).toBe(`User ${ann} version 1 created: 204\n`);
  const [bea] = await people(1);
  expect(await run({ later: 66_000 })).toBe(`User ${bea} version 1 created: 204\n`);
  answer();
  const { code, stderr } = await late.ended;
  expect([code, stderr]).toEqual([1, 'Another run has the memory of the door\n']);
  expect(await run({ later: 66_000 })).toBe('');
});

test('a run ends with a failure, which the alarm counts, while the receiver is gone', async () => {
  const { url, got } = await startReceiver((response) => response.writeHead(410).end());
  const { start } = await deploy(url);
  await people(1);
  const sentence = `${url} has answered 410: nothing is sent until the door is deployed again\n`;
  for (const _ of [1, 2]) {
    const { code, stderr } = await start().ended;
    expect([code, stderr]).toEqual([1, sentence]);
  }
  expect(got.length).toBe(1);
});
