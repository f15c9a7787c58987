import { deepEqual, match, ok } from 'node:assert/strict';
import { stackOf } from '../../operate/stages.ts';
import { ownerOf } from './owner.ts';
import type { Rehearsal } from './rehearsal.ts';
import { CREDENTIALS } from './standIn.ts';

const STAGE = 'prod';

const TOOLS = ['find_users', 'count_users', 'get_user'];

/** Deploys doors as their owner does, lets a user come by SCIM, be counted by an agent and go by a schedule, and keeps two changes. */
export async function openDoors({ account, endpoint, issuer, node, refusals, token }: Rehearsal): Promise<void> {
  const owner = ownerOf(endpoint);
  const client = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'door', OIDC_CLIENT_SECRET: 'secret', ...CREDENTIALS };
  const url = await account.addressOf(STAGE);
  const stackFor = (name: string) => `${stackOf(STAGE)}-${name}`;
  async function deploy(name: string, ...set: string[]): Promise<string> {
    const parameters = set.map((each) => ` --set ${each}`).join('');
    const { isWell, said } = await node(
      `tools/doors/door.ts ${name} --deploy --stage ${STAGE} --url ${url}${parameters}`,
      client,
    );
    ok(isWell, said);
    return said;
  }
  const at = async (name: string) =>
    `${endpoint}/_aws/execute-api/${await account.resource(stackFor(name), 'HttpApi')}`;

  const [, SecretId = ''] = /--secret-id (\S+)/.exec(await deploy('scim')) ?? [];
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
      body: { totalResults: number };
    };
  };
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
  const made = await scim('POST', '', { schemas, userName: 'dora' });
  deepEqual(made.status, 201, JSON.stringify(made.body));

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
  const listed = String(await owner.read(`/${bucket}?list-type=2`));
  const keys = [...listed.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key);
  for (const key of keys) match(key, /^changes\/\d{4}-\d\d-\d\d\/[^/]+\.ndjson\.gz$/);
  // It compresses nothing, whatever the name says.
  const lines = await Promise.all(keys.map(async (key) => String(await owner.read(`/${bucket}/${key}`)).trim()));
  deepEqual(lines.toSorted(), ['{"a":1}', '{"a":2}']);
  deepEqual(refusals(), []);
}
