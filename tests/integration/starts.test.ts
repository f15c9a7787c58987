import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EDIT, event } from '../../tools/samples/events.ts';
import { FUNCTIONS, uploaded, wordsOf } from '../support/bundles.ts';
import { runProgram, serveForTest, temporaryFolder } from '../support/programs.ts';
import { type Fate, startGate } from '../support/servers.ts';
import { serviceOn } from '../support/service.ts';
import { storeEndpoint } from '../support/shared.ts';

/** Bundles are loaded here as Lambda does it: in a new process, without and then with a request. */

const folder = temporaryFolder();

/**
 * Lambda looks for a module with these endings, and awaits its import. Only then may it freeze the process: here the test is told. The time of
 * the process stands still: on a busy machine a call would be made again after a second or three, and the head read again after a slow journal.
 */
const RUNTIME = `
  import { existsSync } from 'node:fs';
  const [{ setTimeout }, moment] = [globalThis, Date.now()];
  globalThis.setTimeout = (call, ms, ...values) => setTimeout(call, ms >= 1_000 ? 2 ** 31 - 1 : ms, ...values);
  Date.now = () => moment;
  performance.now = () => 0;
  const [, path, event, gate] = process.argv;
  const file = ['', '.js', '.mjs', '.cjs'].map((ending) => path + ending).find(existsSync);
  const { handler } = await import(file);
  await fetch(gate + '/loaded');
  const answer = event && (await handler(JSON.parse(event), {}));
  process.stdout.write(JSON.stringify(answer || {}).split('\\n').at(-1), () => process.exit());`;

/** A stage whose users are in its base, a delta and the journal. */
async function stage() {
  const service = await serviceOn.embedded();
  const add = (name: string) => service.users.createMany(Array.from({ length: 30 }, () => ({ name })));
  await add('Ann');
  await service.fold();
  await add('Bea');
  await service.fold();
  await add('Cleo');
  return service;
}

const { tables } = await stage();

const REQUESTS: Record<string, Parameters<typeof event>> = {
  editUsers: [
    '',
    {
      ...{ httpMethod: 'POST', path: '/api/users/edits', resource: '/api/users/edits' },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...EDIT, dryRun: true }),
    },
  ],
  listUsersByCursor: ['', { resource: '/api/users/cursor' }],
  listAllUsers: ['', { resource: '/api/users/all' }],
  searchUsers: ['keyword=ann', { resource: '/api/users/search' }],
  countUsers: ['by=status', { resource: '/api/users/counts' }],
};

/** How the store treats the calls of a function until its import is done. */
type Store = 'answers' | 'refuses' | 'hangs';

const REFUSAL: Fate = {
  status: 400,
  json: { __type: 'com.amazon.coral.service#AccessDeniedException', message: 'No' },
};

/** Loads a function, and asks it if it lists. @returns the calls until the import was done, and after it */
async function start(name: string, store: Store = 'answers', env: Record<string, string> = {}) {
  for (const [path, content] of Object.entries(await uploaded(name))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  let isLoaded = false;
  const calls = { before: 0, after: 0 };
  const gate = await startGate(await storeEndpoint(), {
    before: async () => {
      calls[isLoaded ? 'after' : 'before']++;
      if (store === 'hangs' && !isLoaded) await new Promise(() => {});
    },
    fateOf: () => (store === 'refuses' && !isLoaded ? REFUSAL : undefined),
  });
  onTestFinished(gate.close);
  const loaded = await serveForTest((_, response) => {
    isLoaded = true;
    response.end();
  });
  const request = wordsOf(name).includes('readLists') ? JSON.stringify(event(...(REQUESTS[name] ?? []))) : '';
  const program = ['--input-type=module', '-e', RUNTIME, join(folder, 'functions', name), request, loaded];
  const { stdout, stderr } = await runProgram(process.execPath, program, {
    env: {
      ...{ AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
      ...{ USERS_TABLE: tables.users, DIRECTORY_TABLE: tables.directory, EVENT_BUS: 'events' },
      ...{ OIDC_ISSUER: 'none', OIDC_AUDIENCE: 'users', AWS_ENDPOINT_URL_DYNAMODB: gate.url },
      ...{ LOADING_MS: '600000', ...env },
    },
  });
  if (stdout === '') throw new Error(stderr);
  return { ...calls, status: JSON.parse(stdout.split('\n').at(-1) ?? '').statusCode };
}

const LISTS = FUNCTIONS.filter((name) => wordsOf(name).includes('readLists'));

describe('a new container', () => {
  test('has read all users when the import of a function that lists is done, and reads the journal for a request', async () => {
    const found: Record<string, object> = {};
    for (const name of LISTS) found[name] = await start(name);
    // The journal, the base and the delta; then the journal.
    const calls = { before: 3, after: 1, status: 200 };
    expect(found).toEqual({
      listUsers: calls,
      // A page of the index, then the journal.
      listUsersByCursor: { ...calls, after: 2 },
      listAllUsers: calls,
      searchUsers: calls,
      countUsers: calls,
      editUsers: calls,
    });
  });

  test('has sent nothing when the import of any other function is done', async () => {
    const others = FUNCTIONS.filter((name) => !LISTS.includes(name));
    expect(others.length).toBeGreaterThan(10);
    for (const name of others) expect([name, await start(name)]).toEqual([name, { before: 0, after: 0 }]);
  });

  test('is there though the store refuses everything: its first request reads the users', async () => {
    expect(await start('listUsers', 'refuses')).toEqual({ before: 1, after: 3, status: 200 });
  });

  test('is there after a time though the store never answers: its first request reads the users', async () => {
    expect(await start('listUsers', 'hangs', { LOADING_MS: '300' })).toEqual({ before: 1, after: 3, status: 200 });
  });
});
