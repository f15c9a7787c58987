import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDynamo } from '../../lib/dynamodb/client.ts';
import { systemRuntime } from '../../lib/runtime.ts';
import type { Database } from '../../lib/users/database.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import { useLocalCredentials } from '../../tools/local/environment.ts';
import { storeProgram } from '../../tools/local/storeProgram.ts';
import { createMissingTables } from '../../tools/local/tables.ts';
import type { Said } from '../support/crash/worker.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { freePort } from '../support/httpService.ts';
import { askAll } from '../support/questions.ts';
import { templateTables } from '../support/tables.ts';

/** `npm run test:long` kills more processes. */
const KILLS = Number(process.env.KILLS ?? 3);
const random = chanceOf(Number(process.env.KILLS_SEED ?? 1));

const WORKER = fileURLToPath(new URL('../support/crash/worker.ts', import.meta.url));
const TABLES = { users: 'users', directory: 'directory' };
const ROLES = ['service', 'fold', 'store'] as const;

const folder = mkdtempSync(join(tmpdir(), 'crash-'));
const running: Partial<Record<(typeof ROLES)[number], ChildProcess>> = {};
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

const program = storeProgram();
let started = 0;
const start = {
  store: () => {
    const options = ['--host', '127.0.0.1', '--port', new URL(endpoint).port, '--db-path', join(folder, 'users.db')];
    return spawn(program, options, { stdio: 'ignore' });
  },
  fold: () => work('fold'),
  service: () => work('service'),
};

function work(role: 'fold' | 'service'): ChildProcess {
  const options = [WORKER, role, `w${started++}`, endpoint, TABLES.users, TABLES.directory];
  return listen(spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] }));
}

const ended = (child: ChildProcess | undefined) =>
  new Promise<void>((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('close', () => resolve());
  });

async function kill(role: (typeof ROLES)[number]): Promise<void> {
  const child = running[role];
  child?.kill('SIGKILL');
  await ended(child);
}

async function untilItResponds(): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    const isThere = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await setTimeout(20);
  }
  throw new Error('The store does not respond');
}

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
  running.store = start.store();
  await untilItResponds();
  await createMissingTables(new DynamoDBClient({ endpoint }), templateTables(TABLES));
});

afterAll(async () => {
  for (const role of ROLES) await kill(role);
  rmSync(folder, { recursive: true });
});

test(
  'acknowledged writes survive kill -9 of the service, the fold and the store, and statistics stay exact',
  async () => {
    for (const role of ['service', 'fold'] as const) running[role] = start[role]();
    for (let kills = 0; kills < KILLS; kills++) {
      const before = done;
      await expect.poll(() => done, { timeout: 300_000 }).toBeGreaterThan(before + 20);
      await setTimeout(random() * 500);
      const role = ROLES[kills % ROLES.length] ?? 'store';
      await kill(role);
      running[role] = start[role]();
      await untilItResponds();
    }
    await kill('service');
    await check();
    // This holds the fold after it has ended its batch.
    expect(await verify({ ...database, sizes: { ...SIZES, segmentUsers: 20 } })).toMatchObject({
      wrongTotal: false,
      wrongMaps: 0,
      wrongLists: 0,
      wrongChanges: 0,
    });
    await check();
    process.stderr.write(`${KILLS} kills, ${done} writes acknowledged\n`);
    expect(done).toBeGreaterThan(20 * KILLS);
  },
  60_000 + KILLS * 60_000,
);
