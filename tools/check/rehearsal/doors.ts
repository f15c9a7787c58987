import { deepEqual, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { doorNames, findDoor } from '../../doors/doors.ts';
import { parametersOf } from '../../doors/stack.ts';
import { stackOf } from '../../operate/stages.ts';
import { copyProject } from '../projectCopy.ts';
import { pushGroup } from './groups.ts';
import { prepared, type Rehearsal, type Settings } from './rehearsal.ts';
import { CREDENTIALS } from './standIn.ts';

const STAGE = 'prod';

/** A signing secret that is none. */
export const SIGNING_SECRET = `whsec_${'A'.repeat(32)}`;

const CLIENT = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'door',
  OIDC_CLIENT_SECRET: 'secret',
  DOOR_KEY: SIGNING_SECRET,
  ...CREDENTIALS,
};

/** Parameters that nobody but the owner of a door knows. */
const CHOSEN: Record<string, string> = {
  follow: ' --set Pool=eu-central-1_AbCdEfGhI',
  retention: ' --set Email=ops@example.com --set AtMost=1 --set Filter=status=left',
  // The copy that is rehearsed takes no https.
  webhook: ' --to http://127.0.0.1:9',
};

const templated = () =>
  doorNames()
    .map(findDoor)
    .filter(({ isCoded }) => !isCoded);

/** Expects that each door that takes events asks for the bus of a stage that has none, and makes nothing. */
export async function refuseDoors({ account, node }: Rehearsal, stage: string): Promise<void> {
  const doors = templated().filter(({ file }) => 'Bus' in parametersOf(file('template.yml')));
  ok(doors.length > 1);
  for (const { name } of doors) {
    const { isWell, said } = await node(
      `tools/doors/door.ts ${name} --deploy --stage ${stage}${CHOSEN[name] ?? ''}`,
      CLIENT,
    );
    ok(!isWell && said.includes(`needs the bus ${stackOf(stage)}, and there is none: set "events: true"`), said);
    deepEqual(await account.hasStack(`${stackOf(stage)}-${name}`), false);
  }
}

/** The only resource of a template that fails: its name is taken, so it cannot be made. The stand-in does not know all types of the others. */
const TAKEN = 'Resources:\n  Taken: { Type: AWS::Logs::LogGroup, Properties: { LogGroupName: taken } }\n';

/** Leaves a template its parameters, and no resource but the one that cannot be made. */
function breakTemplate(file: string): void {
  const [parameters = ''] = readFileSync(file, 'utf8').split(/^Resources:\n/m, 1);
  writeFileSync(file, parameters + TAKEN);
}

/** Secrets that are deployed before their door: its name, that of the stack, and the template. */
const SECRETS = [
  ['scim', 'scim-secret', 'doors/secret.yml'],
  ['webhook', 'webhook-secret', 'doors/webhook/secret.yml'],
] as const;

/** Expects that a door, or its secret, that is not deployed says why, and leaves no stack. */
export async function failDoors({ account, node, owner, refusals }: Rehearsal): Promise<void> {
  await owner.call('logs', 'Logs_20140328.CreateLogGroup', { logGroupName: 'taken' });
  const copy = prepared(copyProject());
  const files = templated().map(({ name }): [name: string, stack: string, file: string] => [
    name,
    name,
    `doors/${name}/template.yml`,
  ]);
  try {
    for (const [door, stack, file] of [...files, ...SECRETS]) {
      breakTemplate(join(copy.root, file));
      const options = `--deploy --stage ${STAGE} --url https://users.example.com${CHOSEN[door] ?? ''}`;
      const { isWell, said } = await node(`tools/doors/door.ts ${door} ${options}`, CLIENT, copy.root);
      const name = `${stackOf(STAGE)}-${stack}`;
      ok(!isWell && said.includes(`Stack ${name} was not deployed: Taken (AWS::Logs::LogGroup) CREATE_FAILED: `), said);
      deepEqual(await account.hasStack(name), false);
    }
  } finally {
    copy.remove();
  }
  refusals();
}

const TOOLS = ['find_users', 'count_users', 'get_user'];

const MINUTE_MS = 60_000;

/** The lines of all files of changes, once there are some. The stand-in compresses nothing, whatever the name says. */
async function landedIn(owner: Rehearsal['owner'], bucket: string, patience: number): Promise<string[]> {
  for (let minute = 0; ; minute++) {
    const listed = String(await owner.read(`/${bucket}?list-type=2`));
    const keys = [...listed.matchAll(/<Key>(changes\/.*?)<\/Key>/g)].map(([, key = '']) => key);
    for (const key of keys) match(key, /^changes\/\d{4}-\d\d-\d\d\/[^/]+\.ndjson\.gz$/);
    const files = await Promise.all(keys.map((key) => owner.read(`/${bucket}/${key}`)));
    const texts = files.map((file) => String(file.readUInt16BE(0) === 0x1f8b ? gunzipSync(file) : file));
    if (texts.length > 0 || minute >= patience) return texts.flatMap((text) => text.trim().split('\n'));
    await setTimeout(MINUTE_MS);
  }
}

/** The parts of a rehearsal that open doors. */
export type Opened = Pick<Rehearsal, 'account' | 'node' | 'owner' | 'refusals' | 'token'>;

/** Deploys doors as their owner does, lets a user come by SCIM, be counted by an agent and go by a schedule, and keeps two changes. */
export async function openDoors(
  { account, node, owner, refusals, token }: Opened,
  stage: string,
  client: Settings,
  patience = 0,
): Promise<void> {
  const url = await account.addressOf(stage);
  const stackFor = (name: string) => `${stackOf(stage)}-${name}`;
  async function deploy(name: string, ...set: string[]): Promise<string> {
    const parameters = set.map((each) => ` --set ${each}`).join('');
    const { isWell, said } = await node(
      `tools/doors/door.ts ${name} --deploy --stage ${stage} --url ${url}${parameters}`,
      client,
    );
    ok(isWell, said);
    return said;
  }
  const at = (name: string) => account.doorAddress(stackFor(name));

  const [, SecretId = ''] = /--secret-id (\S+)/.exec(await deploy('scim', 'groups=groups')) ?? [];
  const secret = await owner.call<{ SecretString: string }>('secretsmanager', 'secretsmanager.GetSecretValue', {
    SecretId,
  });
  const scim = async (method: string, path: string, body?: object) => {
    const authorization = `Bearer ${JSON.parse(secret.SecretString).token}`;
    const headers = { authorization, 'content-type': 'application/scim+json' };
    const response = await fetch(`${await at('scim')}/scim/v2/Users${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() } as {
      status: number;
      body: { totalResults: number; id: string };
    };
  };
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
  const made = await scim('POST', '', { schemas, userName: 'dora' });
  deepEqual(made.status, 201, JSON.stringify(made.body));
  await pushGroup(await at('scim'), `Bearer ${JSON.parse(secret.SecretString).token}`, made.body.id);

  await deploy('agents');
  const agent = async (method: string, params: object) => {
    const headers = {
      ...{ authorization: `Bearer ${await token('users:read')}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await fetch(`${await at('agents')}/mcp`, { method: 'POST', headers, body })).text();
  };
  const named = [...(await agent('tools/list', {})).matchAll(/"name":"(\w+)","description"/g)].map(([, name]) => name);
  deepEqual(named, TOOLS);
  const filters = { 'attributes.userName': 'dora' };
  match(await agent('tools/call', { name: 'count_users', arguments: { by: 'status', filters } }), /\\"total\\":1,/);

  await deploy('retention', 'Email=ops@example.com', 'AtMost=1', 'Act=yes', 'Filter=attributes.userName=dora');
  const retention = await account.resource(stackFor('retention'), 'Retention');
  deepEqual(await owner.invoke(retention, { time: '2026-11-28T03:00:00Z' }), null);
  deepEqual((await scim('GET', '?filter=userName%20eq%20%22dora%22')).body.totalResults, 0);

  // The stand-in's bus has no way to Firehose, and its buckets do not replicate.
  await deploy('audit');
  const DeliveryStreamName = await account.resource(stackFor('audit'), 'Delivery');
  for (const line of ['{"a":1}', '{"a":2}']) {
    const Record = { Data: Buffer.from(line).toString('base64') };
    await owner.call('firehose', 'Firehose_20150804.PutRecord', { DeliveryStreamName, Record });
  }
  const bucket = await account.resource(stackFor('audit'), 'Landing');
  const lines = await landedIn(owner, bucket, patience);
  deepEqual(
    ['{"a":1}', '{"a":2}'].filter((line) => !lines.includes(line)),
    [],
  );
  deepEqual(refusals(), []);
}

/** The most calls of functions until a change has arrived. */
const MOST_CALLS = 20;

/** Deploys the webhook with a receiver on this machine, which gets a new user, signed. */
export async function sendChanges(
  { account, node, owner, refusals, token }: Opened,
  stage: string,
  client: Settings,
): Promise<void> {
  const got: unknown[] = [];
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    got.push(new Webhook(SIGNING_SECRET).verify(body, request.headers as Record<string, string>));
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const url = await account.addressOf(stage);
    const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const { isWell, said } = await node(
      `tools/doors/door.ts webhook --deploy --stage ${stage} --url ${url} --to ${to}`,
      { ...client, DOOR_KEY: SIGNING_SECRET },
    );
    ok(isWell, said);
    const door = await account.resource(`${stackOf(stage)}-webhook`, 'DoorLambdaFunction');
    deepEqual(await owner.invoke(door, {}), null);
    const headers = { authorization: `Bearer ${await token('users:write')}`, 'content-type': 'application/json' };
    const made = await fetch(`${url}/api/users`, { method: 'POST', headers, body: '{"name":"Wanda"}' });
    deepEqual(made.status, 201);
    for (let calls = 0; got.length === 0 && calls < MOST_CALLS; calls++) {
      await owner.invoke(`${stackOf(stage)}-fold`, {});
      deepEqual(await owner.invoke(door, {}), null);
    }
    deepEqual(
      got.map((each) => (each as { data: { user: { name: string } } }).data.user.name),
      ['Wanda'],
    );
  } finally {
    receiver.close();
  }
  deepEqual(refusals(), []);
}
