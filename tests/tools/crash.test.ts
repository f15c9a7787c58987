import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDynamo } from '../../lib/dynamodb/client.ts';
import { systemRuntime } from '../../lib/runtime.ts';
import { useLocalCredentials } from '../../lib/tooling/local/environment.ts';
import { storeProgram } from '../../lib/tooling/local/storeProgram.ts';
import { createMissingTables } from '../../lib/tooling/local/tables.ts';
import type { Database } from '../../lib/users/database.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import type { Said } from '../support/crash/worker.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { freePort } from '../support/httpService.ts';
import { askAll, NOTHING_WRONG } from '../support/questions.ts';
import { templateTables } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** `npm run test:long` kills more processes. */
const KILLS = Number(process.env.KILLS ?? 3);
const random = chanceOf(Number(process.env.KILLS_SEED ?? 1));

const WORKER = fileURLToPath(new URL('../support/crash/worker.ts', import.meta.url));
const TABLES = { users: 'users', directory: 'directory' };
const ROLES = ['service', 'fold', 'store'] as const;
type Role = (typeof ROLES)[number];

const folder = temporaryFolder();
const running: Partial<Record<Role, ChildProcess>> = {};
let endpoint: string;

/** The names that a user may have, by the output of the workers. null stands for a deleted user. */
const possible = new Map<number, Set<string | null>>();
/** Names of users whose creation was tried. */
const tried = new Set<string>();
let done = 0;

function hear({ id, name, isDone }: Said): void {
  if (id === undefined) tried.add(String(name));
  else if (isDone) possible.set(id, new Set([name]));
  else possible.get(id)?.add(name);
  if (isDone) done++;
}

function listen(child: ChildProcess): ChildProcess {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) hear(JSON.parse(line));
  });
  return child;
}

const program = await storeProgram();
let started = 0;

function start(role: Role): void {
  const store = ['--host', '127.0.0.1', '--port', new URL(endpoint).port, '--db-path', join(folder, 'users.db')];
  const worker = [WORKER, role, `w${started++}`, endpoint, TABLES.users, TABLES.directory];
  running[role] =
    role === 'store'
      ? spawn(program, store, { stdio: 'ignore' })
      : listen(spawn(process.execPath, worker, { stdio: ['ignore', 'pipe', 'inherit'] }));
}

async function kill(role: Role): Promise<void> {
  const child = running[role];
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}

const untilStoreResponds = () =>
  expect.poll(() => fetch(endpoint).catch(() => undefined), { interval: 20 }).toBeDefined();

let database: Database;

/** Expects that every acknowledged write is there, and nothing else than what was tried. */
async function check(): Promise<void> {
  const { users, total } = await askAll(createUserListing(database), []);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const lost = [...possible].filter(([id, states]) => !states.has(names.get(id) ?? null));
  expect(lost.map(([id, states]) => [id, [...states], names.get(id)])).toEqual([]);
  const strange = users.filter(({ id, name }) => !possible.has(id) && !tried.has(name));
  expect(strange).toEqual([]);
  expect(total).toBe(users.length);
}

beforeAll(async () => {
  useLocalCredentials();
  process.env.AWS_REGION ??= 'local';
  endpoint = `http://127.0.0.1:${await freePort()}`;
  database = { dynamo: createDynamo({ endpoint }), tables: TABLES, runtime: systemRuntime, sizes: SIZES };
  start('store');
  await untilStoreResponds();
  await createMissingTables(new DynamoDBClient({ endpoint }), templateTables(TABLES));
});

afterAll(async () => {
  for (const role of ROLES) await kill(role);
});

test(
  'acknowledged writes survive kill -9 of the service, the fold and the store, and statistics stay exact',
  async () => {
    for (const role of ['service', 'fold'] as const) start(role);
    for (let kills = 0; kills < KILLS; kills++) {
      const before = done;
      await expect.poll(() => done, { timeout: 300_000 }).toBeGreaterThan(before + 20);
      await setTimeout(random() * 500);
      const role = ROLES[kills % ROLES.length] ?? 'store';
      await kill(role);
      start(role);
      await untilStoreResponds();
    }
    await kill('service');
    await check();
    // This holds the fold after it has ended its batch.
    const found = await verify({ ...database, sizes: { ...SIZES, segmentUsers: 20 } });
    expect(found).toMatchObject({ ...NOTHING_WRONG, wrongChanges: 0 });
    await check();
    process.stderr.write(`${KILLS} kills, ${done} writes acknowledged\n`);
    expect(done).toBeGreaterThan(20 * KILLS);
  },
  60_000 + KILLS * 60_000,
);
