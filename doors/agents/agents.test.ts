import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  PROTOCOL_VERSION_META_KEY,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { caller } from '../../tests/support/httpService.ts';
import { AUDIENCE } from '../../tests/support/issuer.ts';
import { issuerForFile, serviceForFile } from '../../tests/support/localService.ts';
import { folderForTest, runProgram, serveForTest } from '../../tests/support/programs.ts';
import { startGate } from '../../tests/support/servers.ts';
import { findPython, MissingPrerequisite, requireProgram } from '../../tools/check/prerequisites.ts';
import { findDoor } from '../../tools/doors/doors.ts';
import { bundleDoor } from '../../tools/doors/packaging.ts';
import { serve } from '../serve.ts';
import door from './door.ts';

const issuer = await issuerForFile();
const service = await serviceForFile({ env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE } });
const settings = { token: '', OIDC_ISSUER: issuer.url, MAX_USERS: '3' };
const { url: base, stop } = await serve(door, async () => ({ ...settings, url: service.url }), 0);
afterAll(stop);

const ALL = 'users:read users:write users:audit';
const READING = ['find_users', 'count_users', 'get_user'];
const WRITING = ['preview_change', 'apply_change'];
const UNDOING = ['preview_undo', 'undo_change'];

const tokenOf = (scope: string, claims: object = {}) => issuer.sign({ scope, ...claims });

/** Users of one test, who have its name as their status. */
async function people(status: string, ...names: string[]): Promise<void> {
  const authorization = `Bearer ${await tokenOf(ALL)}`;
  for (const name of names)
    await caller(service.url)('POST', '/api/users', { json: { name, status }, headers: { authorization } });
}

interface Result {
  isError?: boolean | undefined;
  content: { text: string }[];
}

/** Clients of each generation. A call gives the answer of a tool, or its error as a text. */
const GENERATIONS = {
  async '2026-07-28'(token: string, url = base) {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    return client;
  },
  async '2025-11-25'(token: string, url = base) {
    const client = new FormerClient({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new FormerTransport(new URL(`${url}/mcp`), { requestInit }) as never);
    return client;
  },
};

type Generation = keyof typeof GENERATIONS;

async function connect(generation: Generation, scope = ALL, url = base) {
  const client = await GENERATIONS[generation](await tokenOf(scope), url);
  onTestFinished(() => client.close());
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name: string, args: Record<string, unknown>) {
      const { isError, content } = (await client.callTool({ name, arguments: args })) as Result;
      const [{ text } = { text: '' }] = content;
      return isError ? text : JSON.parse(text);
    },
  };
}

const inspect = (era: string, token: string, ...options: string[]) => {
  const { HOME = '' } = process.env;
  const inspector = 'doors/agents/node_modules/@modelcontextprotocol/inspector';
  const bin = createRequire(import.meta.url)(`${join(process.cwd(), inspector)}/package.json`).bin['mcp-inspector'];
  const header = ['--header', `Authorization: Bearer ${token}`, '--protocol-era', era];
  const target = [`${inspector}/${bin}`, '--cli', `${base}/mcp`, '--transport', 'http'];
  return runProgram(process.execPath, [...target, ...header, ...options], { env: { HOME } });
};

describe.each(['modern', 'legacy'])('the official inspector, as a %s client', (era) => {
  test('lists the tools, and finds nothing wrong with their schemas', async () => {
    const { code, stdout, stderr } = await inspect(era, await tokenOf(ALL), '--method', 'tools/list', '--strict');
    expect([code, stderr]).toEqual([0, '']);
    const names = JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...READING, 'user_history', ...WRITING, ...UNDOING]);
  });

  test('gets the hint of the service', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'find_users', '--tool-arg', 'filters={"search":"ann"}'];
    const { code, stdout } = await inspect(era, await tokenOf(ALL), ...call);
    expect([code, JSON.parse(stdout).content]).toEqual([
      5,
      [{ type: 'text', text: '400: Unknown parameter search: is q meant?' }],
    ]);
  });
});

/** The official clients in other languages: their programs print what they get from the door. */
const JUDGES = 'doors/agents/judges';

function pythonJudge(): string {
  return findPython(
    'The test of agents by the client in Python',
    'it is skipped',
    `${JUDGES}/requirements.txt`,
    '.local/agents',
  );
}

/** The program in Go, compiled once. */
function goJudge(): string {
  requireProgram(['go', 'version'], 'The test of agents by the client in Go needs Go as "go": it is skipped.');
  const program = join(process.cwd(), '.local/agents/judge');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: JUDGES });
  return program;
}

/** The program of a judge, or a sentence about what is missing for it. */
function judgeOf(find: () => string): { program: string; lack?: string } {
  try {
    return { program: find() };
  } catch (error) {
    if (!(error instanceof MissingPrerequisite)) throw error;
    return { program: '', lack: error.message };
  }
}

describe.each([
  ['Python, as a modern client', pythonJudge, [`${JUDGES}/judge.py`], 'auto', '2026-07-28'],
  ['Python, as a legacy client', pythonJudge, [`${JUDGES}/judge.py`], 'legacy', '2025-11-25'],
  ['Go', goJudge, [], '', '2026-07-28'],
] as const)('the official client in %s', (name, find, options, mode, revision) => {
  test('has all tools, finds a user, and is told what is wrong', async (context) => {
    const { program, lack } = judgeOf(find);
    if (lack !== undefined) context.skip(lack);
    await people(name, 'Ann');
    const calls = [
      ['find_users', { filters: { status: name }, fields: 'name' }],
      ['find_users', { filters: { status: [] } }],
      ['preview_change', { filters: { status: name }, change: { patch: { age: '30' } } }],
    ];
    const env = { ...process.env, TOKEN: await tokenOf(ALL), PYTHONDONTWRITEBYTECODE: '1' };
    const input = JSON.stringify(calls);
    const { stdout, stderr } = await runProgram(program, [...options, `${base}/mcp`, mode], { env, input });
    expect(stderr).toBe('');
    const { results, ...begun } = JSON.parse(stdout);
    const tools = [...READING, 'user_history', ...WRITING, ...UNDOING];
    expect(begun).toEqual({ revision, listChanged: false, tools });
    const [found, empty, wrong] = results;
    expect([found[0], JSON.parse(found[1])]).toMatchObject([false, { total: 1, users: [{ name: 'Ann' }] }]);
    expect(empty).toEqual([true, expect.stringContaining('filters.status: an empty text or list is no filter')]);
    expect(wrong).toEqual([true, expect.stringMatching(/^400: .*\/age: Age must be positive/)]);
  });
});

describe.each(Object.keys(GENERATIONS) as Generation[])('a client of %s', (generation) => {
  const status = `of-${generation}`;

  test.each([
    ['users:read', READING],
    ['users:read users:audit', [...READING, 'user_history']],
    ['users:read users:write', [...READING, ...WRITING]],
    [ALL, [...READING, 'user_history', ...WRITING, ...UNDOING]],
  ])('with %s has the tools for it', async (scope, tools) => {
    expect(await (await connect(generation, scope)).tools()).toEqual(tools);
  });

  test('previews a change, makes it once, and takes it back', async () => {
    await people(status, 'Ann', 'Bea');
    const { call } = await connect(generation);
    const filters = { status };
    const wanted = { filters, change: { patch: { country: 'KE', attributes: { floor: 3 } } } };
    const { edit, ...preview } = await call('preview_change', wanted);
    expect(preview).toMatchObject({ total: 2, limits: { users: 3, dollars: 1 }, dollars: expect.any(Number) });
    const asked = { ...wanted, edit, maxUsers: 2, maxDollars: 0.01 };
    const made = await call('apply_change', asked);
    expect(made).toEqual({ edit: expect.stringMatching(/^\w{16}$/), changed: 2, unchanged: 0, left: 0, failed: [] });
    // The same again is the same edit.
    expect(await call('apply_change', asked)).toEqual(made);
    const query = { filters: { ...filters, country: 'KE' }, fields: 'name' };
    expect(await call('find_users', { ...query, size: 1 })).toEqual({
      total: 2,
      users: [{ id: expect.any(Number), name: 'Ann' }],
      more: 'Ask for page 1, of 2 from 0 on',
    });
    const { preview: undo, total } = await call('preview_undo', { edit: made.edit });
    expect(total).toBe(2);
    const undone = { edit: made.edit, preview: undo, maxUsers: 2, maxDollars: 0.01 };
    expect(await call('undo_change', undone)).toMatchObject({ changed: 2, left: 0 });
    expect(await call('count_users', { by: 'country', filters })).toEqual({ total: 2, counts: [{ count: 2 }] });
    const { users } = await call('find_users', { filters, sort: 'name' });
    expect(await call('get_user', { id: users[0].id })).toMatchObject({ name: 'Ann', status });
    const history = await call('user_history', { id: users[0].id, size: 2 });
    expect(history.map(({ edit }: { edit: string }) => edit)).toEqual([`${made.edit}-undo`, made.edit]);
  });
});

/** Another door, before the service or something in its place. */
async function before(url: string, more: Record<string, string> = {}) {
  const other = await serve(door, async () => ({ ...settings, url, ...more }), 0);
  onTestFinished(other.stop);
  return other.url;
}

describe('a change', () => {
  const later = async () => connect('2026-07-28');

  test('of others than were previewed is refused', async () => {
    await people('others', 'Ann');
    const { call } = await later();
    const change = { patch: { country: 'KE' } };
    const { edit } = await call('preview_change', { filters: { status: 'others' }, change });
    const limit = { edit, maxUsers: 9, maxDollars: 1 };
    for (const other of [
      { filters: {}, change },
      { filters: { status: 'others' }, change: { delete: true } },
    ])
      expect(await call('apply_change', { ...limit, ...other })).toBe(
        'The edit is not that of a preview with these filters and this change',
      );
    const made = { ...limit, filters: { status: 'others' }, change, edit: 'preview-mx07xm6g-15d07363d43d8444' };
    expect(await call('apply_change', made)).toBe(
      'The edit is not that of a preview with these filters and this change',
    );
  });

  test('of more users, or for more dollars, than the agent or the deployer allows is refused', async () => {
    await people('many', 'Ann', 'Bea', 'Cid', 'Dan');
    const { call } = await later();
    const wanted = { filters: { status: 'many' }, change: { patch: { country: 'KE' } } };
    const { edit, dollars } = await call('preview_change', wanted);
    const apply = (limit: object) => call('apply_change', { ...wanted, edit, maxUsers: 9, maxDollars: 1, ...limit });
    expect(await apply({})).toBe(`4 users for ${dollars} dollars are more than 3 for 1, the limit`);
    expect(await apply({ maxUsers: 2 })).toBe(`4 users for ${dollars} dollars are more than 2 for 1, the limit`);
    const one = { filters: { ...wanted.filters, name: 'Ann' }, change: wanted.change };
    const other = await call('preview_change', one);
    const cheap = { ...one, edit: other.edit, maxUsers: 1, maxDollars: 0 };
    expect(await call('apply_change', cheap)).toBe(
      `1 users for ${other.dollars} dollars are more than 1 for 0, the limit`,
    );
    for (const limit of [{ MAX_DOLLARS: '0' }, { MAX_DOLLARS: 'none' }, { MAX_USERS: 'all' }]) {
      const strict = await connect('2026-07-28', ALL, await before(service.url, limit));
      const refused = await strict.call('apply_change', { ...cheap, maxDollars: 1 });
      expect(refused).toMatch(/^1 users for .* dollars are more than (?:1 for (?:0|NaN)|NaN for 1), the limit$/);
    }
    expect(await call('count_users', { by: 'country', filters: { status: 'many' } })).toEqual({
      total: 4,
      counts: [{ count: 4 }],
    });
  });

  test('that the service refuses has its advice', async () => {
    const { call } = await later();
    const { filters, ...wanted } = { filters: {}, change: { patch: { stauts: 'new' }, everybody: true } };
    expect(await call('preview_change', { filters, ...wanted })).toMatch(/^400: .*stauts.*status/);
    const nobody = await call('preview_change', { filters: {}, change: { patch: { status: 'new' } } });
    expect(nobody).toMatch(/^400: Without a filter this is an edit of all users: it needs "everybody": true/);
  });
});

test('an answer that is too long for an agent says how to ask for less', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`text${i}`, 'x'.repeat(400)]));
  const authorization = `Bearer ${await tokenOf(ALL)}`;
  const operations = Array.from({ length: 20 }, () => ({ op: 'create', user: { name: 'Long', attributes } }));
  await caller(service.url)('POST', '/api/users/batch', { json: { operations }, headers: { authorization } });
  const { call } = await connect('2026-07-28');
  const asked = { filters: { name: 'Long' }, fields: 'name,attributes' };
  expect(await call('find_users', asked)).toMatch(/^\d{5} characters are too many: fewer fields, or a smaller size$/);
  expect(await call('find_users', { ...asked, size: 5 })).toMatchObject({ total: 20 });
});

/** An answer to a request that a client of 2025 begins with, or calls a tool with. */
async function post(method: string, params: object, headers: Record<string, string>, url = base) {
  const accept = 'application/json, text/event-stream';
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const init = { method: 'POST', headers: { accept, 'content-type': 'application/json', ...headers }, body };
  const response = await fetch(`${url}/mcp`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const INITIALIZE = [
  'initialize',
  { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
] as const;
const FIND = ['tools/call', { name: 'find_users', arguments: {} }] as const;

describe('a token', () => {
  test.each([
    ['that is missing', undefined],
    ['that has expired', { exp: 1 }],
    ['of another audience', { aud: 'another' }],
  ])('%s is 401 at the beginning and in a call, with the place where a client gets another one', async (_, claims) => {
    const headers = claims ? { authorization: `Bearer ${await tokenOf(ALL, claims)}` } : {};
    for (const [method, params] of [INITIALIZE, FIND]) {
      const { status, headers: answered } = await post(method, params, headers);
      const place = `${base}/.well-known/oauth-protected-resource`;
      expect([status, answered.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${place}"`]);
    }
    const metadata = await fetch(`${base}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toEqual({
      resource: `${base}/mcp`,
      authorization_servers: [issuer.url],
      scopes_supported: ['users:read', 'users:write', 'users:audit'],
    });
  });

  test('without the scope of a tool gets what the service says', async () => {
    const { call } = await connect('2026-07-28', 'users:read');
    expect(await call('preview_undo', { edit: '0123456789abcdef' })).toMatch(/^403: /);
  });

  test('of a client of 2025-06-18 is answered in its revision', async () => {
    const { status, text } = await post(...INITIALIZE, { authorization: `Bearer ${await tokenOf(ALL)}` });
    expect([status, text]).toEqual([200, expect.stringContaining('"protocolVersion":"2025-06-18"')]);
  });
});

test('a subscription, which a function could not serve, is refused at once', async () => {
  const authorization = `Bearer ${await tokenOf(ALL)}`;
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
    [CLIENT_INFO_META_KEY]: { name: 'test', version: '1' },
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
  const headers = { authorization, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  const { text } = await post('subscriptions/listen', { _meta, notifications: { toolsListChanged: true } }, headers);
  expect(text).toContain('Subscription limit reached');
});

describe('a page', () => {
  test.each([
    ['of another origin', { origin: 'https://evil.example' }, 403],
    ['whose name leads here', { host: 'evil.example' }, 421],
  ])('%s is refused', async (_, headers, wanted) => {
    const authorization = `Bearer ${await tokenOf(ALL)}`;
    const status = await new Promise((resolve) => {
      const { request } = createRequire(import.meta.url)('node:http');
      request(
        `${base}/mcp`,
        { method: 'POST', headers: { authorization, ...headers } },
        (response: { statusCode: number }) => resolve(response.statusCode),
      ).end('{}');
    });
    expect(status).toBe(wanted);
  });
});

describe('a stage', () => {
  test('that is away is 503, in a call a sentence, and says that a change may have been made', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const url = await before('http://127.0.0.1:9');
    const { status, headers, text } = await post(...INITIALIZE, {}, url);
    const message = 'The service cannot be reached. A change that was sent may have been made. Try again in 5 seconds';
    expect([status, headers.get('retry-after'), JSON.parse(text)]).toEqual([503, '5', { status: 503, message }]);
    expect((await post(...FIND, {}, url)).text).toContain(message);
  });

  test('that throttles is 429, in a call a sentence, with the time to wait', async () => {
    const throttled = { status: 429, headers: { 'retry-after': '7' }, json: { status: 429, message: 'Slow down' } };
    const gate = await startGate(service.url, { fateOf: () => throttled });
    onTestFinished(gate.close);
    const url = await before(gate.url);
    const { status, headers } = await post(...INITIALIZE, {}, url);
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    expect((await post(...FIND, {}, url)).text).toContain('429: Slow down. Try again in 7 seconds');
  });

  test('of an older version, without edits and changes, has the tools that it can serve', async () => {
    const url = await before(
      await serveForTest((_, response) => {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"status":404,"message":"Not found"}');
      }),
    );
    expect(await (await connect('2026-07-28', ALL, url)).tools()).toEqual(READING);
  });

  test('that redirects is not followed', async () => {
    const url = await before(await serveForTest((_, response) => response.writeHead(302, { location: '/' }).end()));
    expect((await post(...FIND, {}, url)).text).toContain(
      '302: the address of the service redirects, which this door does not follow',
    );
  });
});

test('the function of Lambda is one file, and answers an event of API Gateway', async () => {
  const folder = folderForTest();
  await bundleDoor(findDoor('agents'), folder);
  const script = `process.env.SERVICE_URL = ${JSON.stringify(service.url)};
    const { handler } = require(${JSON.stringify(join(folder, 'index.cjs'))});
    handler(JSON.parse(process.argv[1])).then(({ body, ...result }) =>
      console.log(JSON.stringify({ ...result, body: Buffer.from(body, 'base64').toString() })));`;
  const headers = {
    ...{ authorization: `Bearer ${await tokenOf(ALL)}`, 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  };
  const event = {
    ...{ rawPath: '/mcp', rawQueryString: '', headers, isBase64Encoded: false },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'count_users', arguments: { by: 'age' } },
    }),
    requestContext: { domainName: 'id.execute-api.eu-central-1.amazonaws.com', http: { method: 'POST' } },
  };
  const { stdout, stderr } = await runProgram(process.execPath, ['-e', script, JSON.stringify(event)]);
  expect(stderr).toBe('');
  const { statusCode, body } = JSON.parse(stdout);
  expect([statusCode, body]).toEqual([200, expect.stringContaining('total')]);
});
