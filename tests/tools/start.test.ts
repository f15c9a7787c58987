import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { platform } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { createDynamo } from '../../lib/dynamodb/index.ts';
import { systemRuntime } from '../../lib/ground/index.ts';
import { createFold } from '../../lib/replica/index.ts';
import { readJournal } from '../../lib/replica/internals.ts';
import { type Database, LIMITS } from '../../lib/users/database.ts';
import { USER_ROWS } from '../../lib/users/rows.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { createMissingTables } from '../../tools/deploy/tables.ts';
import { startEmbeddedStore } from '../../tools/local/embeddedStore.ts';
import { isEmbedded } from '../../tools/local/localStore.ts';
import { templateTables } from '../../tools/local/templateTables.ts';
import { useService } from '../../tools/local/workFolder.ts';
import { createMany } from '../../tools/samples/createMany.ts';
import { people } from '../../tools/samples/people.ts';
import { caller, launch, startService } from '../support/httpService.ts';
import { endWithTest, exists, untilNothingRuns } from '../support/localService.ts';
import { runProgram, temporaryFolder } from '../support/programs.ts';
import { serviceOn } from '../support/service.ts';
import { sharedService, storeEndpoint } from '../support/shared.ts';

const TABLES = { users: 'user-management-dev-users', directory: 'user-management-dev-directory' };

const folder = temporaryFolder();

const seed = (port: number, ...options: string[]) =>
  runProgram(process.execPath, ['tools/local/seed.ts', ...options], { env: { PORT: String(port) } });

/** Verifies once more where a merge of the service came in between: its message says so. */
async function verify(port: number, option: string, tries = 5): ReturnType<typeof runProgram> {
  const ending = await runProgram(process.execPath, ['tools/operate/verify.ts', option], {
    env: { PORT: String(port) },
  });
  return tries > 1 && ending.stderr.includes('try again') ? verify(port, option, tries - 1) : ending;
}

const latin1 = (file: string) => readFileSync(file, 'latin1');

const total = async (url: string, query = '') =>
  ((await caller(url)('GET', `/api/users?${query}`)).body as { totalElements: number }).totalElements;

/** Makes a data file that this version has not written. */
async function fileOf(name: string, write: (database: Database, client: DynamoDBClient) => Promise<unknown>) {
  const file = join(folder, name);
  const { endpoint, stop } = await startEmbeddedStore(file);
  const dynamo = createDynamo({ endpoint, region: 'eu-central-1' });
  const client = new DynamoDBClient({ endpoint, region: 'eu-central-1' });
  await write({ dynamo, tables: TABLES, runtime: systemRuntime, limits: LIMITS, rows: USER_ROWS }, client);
  client.destroy();
  await stop();
  return file;
}

describe('npm start', () => {
  test('uses the store at AWS_ENDPOINT_URL_DYNAMODB and creates missing tables there', async () => {
    const env = { AWS_ENDPOINT_URL_DYNAMODB: await storeEndpoint() };
    const [first, second] = await Promise.all([startService({ env }), startService({ env })]);
    await caller(first.url)('POST', '/api/users', { json: { name: 'Ann', status: 'shared' } });
    expect(await total(second.url, 'status=shared')).toBe(1);
    // Both services fold, in turns.
    const database = await serviceOn.embedded({ tables: TABLES });
    const entries = async () => (await readJournal(database)).entries.length;
    await expect.poll(entries).toBe(0);
    expect(await total(second.url, 'status=shared')).toBe(1);
    expect(await Promise.all([first.stop('SIGTERM'), second.stop('SIGINT')])).toEqual([0, 0]);
  });

  test.runIf(isEmbedded())('refuses tables of another version', async () => {
    const { GlobalSecondaryIndexes = [], ...old } = templateTables(TABLES)[0] as CreateTableCommandInput;
    const [first, ...others] = GlobalSecondaryIndexes.toReversed();
    // Only this index differs.
    const changed = { ...first, Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] } };
    const file = await fileOf('old.db', (_, client) =>
      createMissingTables(client, [{ ...old, GlobalSecondaryIndexes: [changed, ...others] as typeof others }]),
    );
    const service = endWithTest(await launch({ env: { DYNAMODB_DATA: file } }));
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain(
      `Table user-management-dev-users exists with other keys, attributes or indexes than this version has: delete ${file}, or name another file in DYNAMODB_DATA.`,
    );
  });

  test.runIf(isEmbedded())(
    'goes on with its data, also where e-mails are unique from now on, once their items are made, and leaves nothing of who was erased',
    async () => {
      const file = await fileOf('earlier.db', async (database, client) => {
        await createMissingTables(client, templateTables(TABLES));
        await createMany(database, [{ name: 'Ann', email: 'ann@example.com' }, { name: 'Bob' }]);
        await createFold(database, { minimumAgeMs: 0, readWithinMs: 0, restMs: 0 }).run(10_000);
        await createUserStore(database).create({ name: 'Cem' });
      });
      const service = await startService({ env: { DYNAMODB_DATA: file }, options: ['--param', 'uniqueEmails=true'] });
      const call = caller(service.url);
      const ann = { json: { name: 'Ann', email: 'ANN@example.com' } };
      expect(await total(service.url)).toBe(3);
      expect(await call('POST', '/api/users', { json: { name: 'Dan' } })).toMatchObject({ status: 201 });
      expect(await call('POST', '/api/users', ann)).toMatchObject({ status: 503 });
      for (const [option, outcome] of [
        ['--restored', 'made: the base of all users'],
        ['--repair', 'no differences found'],
        ['--tokens', 'a refusal is final: its token can be spent'],
        ['--emails', '1 item of addresses made, 0 deleted'],
        ['--restored', '0 items of addresses made, 0 deleted'],
      ] as const) {
        const { stdout, stderr } = await verify(service.port, option);
        expect(stdout, stderr).toContain(outcome);
      }
      expect(await call('POST', '/api/users', ann)).toMatchObject({ status: 409 });
      expect((await call('GET', '/api/users?sort=name')).body).toMatchObject({
        content: ['Ann', 'Bob', 'Cem', 'Dan'].map((name) => ({ name })),
        totalElements: 4,
      });

      const { content } = (await call('GET', '/api/users?name=Ann')).body as { content: [{ id: number }] };
      for (const of of ['', '/changes'])
        expect(await call('DELETE', `/api/users/${content[0].id}${of}`)).toMatchObject({ status: 204 });
      await verify(service.port, '--restored');
      // SQLite has her address still, in places that are free.
      const hasAddress = () =>
        [file, `${file}-wal`].filter(existsSync).some((part) => /ann@example/.test(latin1(part)));
      expect(hasAddress()).toBe(true);
      expect(await service.stop('SIGTERM')).toBe(0);
      expect(hasAddress()).toBe(false);
      expect(latin1(file)).toContain('Bob');
    },
  );
});

/** Sends a request as a page of the web might make a browser send it, or a person by hand. */
async function ask(port: number, path: string, headers: Record<string, string> = {}, body?: string) {
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request({ port, path, method, headers: { host: `localhost:${port}`, ...headers } }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('the service is for this machine:', () => {
  test.each([
    [
      'another name',
      421,
      { host: 'web.example' },
      'The local service does not have this name: start it with --host and the name',
    ],
    [
      'another page',
      403,
      { origin: 'https://web.example' },
      'The local service does not answer this page: name its origin in CORS_ORIGINS',
    ],
  ])('%s is refused with %i, and writes nothing', async (_, status, headers, message) => {
    const { port, url } = await sharedService();
    // Without a media type, which a page may leave out, it is JSON here.
    const { body, ...refused } = await ask(port, '/api/users', headers, '{"name":"Ann","status":"foreign"}');
    expect([refused.status, JSON.parse(body)]).toEqual([status, { status, message }]);
    expect(Object.keys(refused.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(await total(url, 'status=foreign')).toBe(0);
  });

  // macOS has one address only.
  test.runIf(platform() !== 'darwin')(
    'nobody finds the store, which believes everybody, at the usual address',
    async () => {
      const store = new URL(useService((await sharedService()).port).endpoint);
      expect(store.hostname).toMatch(/^127(?:\.\d+){3}$/);
      await expect(fetch(`http://127.0.0.1:${store.port}`)).rejects.toThrow('fetch failed');
      await expect(fetch(store)).resolves.toBeDefined();
    },
  );

  test.each(['/', '/api', '/api/'])('%s leads to the page', async (path) => {
    const { port } = await sharedService();
    expect(await ask(port, path)).toMatchObject({ status: 302, headers: { location: '/api/admin' } });
  });
});

test.each([
  ['ends with its terminal', {}, 'SIGHUP', 129],
  ['has a store in memory that ends with it', { LOCAL_STORE: 'memory' }, 'SIGKILL', 'SIGKILL'],
] as const)(
  'npm run seed fills the running service, with a progress bar and exact totals; it %s',
  async (_, env, signal, end) => {
    const service = await startService({ env });
    const greeting = service.output().split('\n');
    // No fold has run yet.
    expect(await total(service.url)).toBe(0);
    // A start prints the URL of the service and what to try, and nothing else.
    expect(greeting.filter((line) => line.trim() !== '')).toEqual([
      'Starting Offline at stage dev (eu-central-1)',
      `Users are served at ${service.url}/api/users (data in memory, until you stop the service). Try:`,
      `  curl -s ${service.url}/api/users`,
      `  npm run seed -- --port ${service.port}`,
      `or open ${service.url}/api/admin in a browser, or ${service.url}/api/docs.`,
      `Changes are at ${service.url}/api/users/changes.`,
      expect.stringMatching(/^Server ready: /),
    ]);
    expect(await seed(service.port, '--users', '230', '--seed', '5')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/100 % 230 users, \d+ per second/),
    });
    expect(await seed(service.port)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There are users already, and this adds 1,000 users. Say --add if you want it.'),
    });

    const source = people(5);
    const expected = Array.from({ length: 230 }, () => source.next().value);
    const all = (await caller(service.url)('GET', '/api/users/all')).body as {
      id: number;
      createdAt: string;
      updatedAt: string;
    }[];
    expect(all.map(({ id: _, createdAt: __, updatedAt: ___, ...fields }) => fields)).toEqual(expected);
    expect(Math.max(...all.map(({ createdAt }) => Date.parse(createdAt)))).toBeLessThan(Date.now());
    expect(await total(service.url)).toBe(230);
    expect(await total(service.url, 'status=active')).toBe(expected.filter((user) => user.status === 'active').length);
    expect(exists(service)).toBe(true);
    expect(await service.stop(signal)).toBe(end);
    await untilNothingRuns(service);
    // A killed process leaves it to the next start.
    if (signal === 'SIGHUP') expect(exists(service)).toBe(false);
  },
);
