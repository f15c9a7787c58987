import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { verify } from '../../lib/users/rebuild/verify.ts';
import type { Said } from '../support/crash/worker.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { askAll, NOTHING_WRONG } from '../support/questions.ts';
import { serviceOn, type TestService } from '../support/service.ts';

/** `npm run test:long` kills more processes. */
const KILLS = Number(process.env.KILLS ?? 3);
const random = chanceOf(Number(process.env.KILLS_SEED ?? 1));

const WORKER = fileURLToPath(new URL('../support/crash/worker.ts', import.meta.url));

/** The names that a user may have, by the output of the workers. null stands for a deleted user. */
const possible = new Map<number, Set<string | null>>();
/** Names of users whose creation was tried. */
const tried = new Set<string | null>();
let done = 0;

function hear({ id, name, isDone }: Said): void {
  if (id === undefined) tried.add(name);
  else if (isDone) possible.set(id, new Set([name]));
  else possible.get(id)?.add(name);
  if (isDone) done++;
}

function start(name: string, { tables }: TestService): ChildProcess {
  const options = [WORKER, name, inject('endpoint'), tables.users, tables.directory];
  const worker = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface(worker.stdout).on('line', (line) => hear(JSON.parse(line)));
  onTestFinished(() => void worker.kill('SIGKILL'));
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL');
  await once(worker, 'close');
}

/** Expects that every acknowledged write is there, and nothing else than what was tried. */
async function check({ listing }: TestService): Promise<void> {
  const { users, total } = await askAll(listing, []);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const lost = [...possible].filter(([id, states]) => !states.has(names.get(id) ?? null));
  expect(lost.map(([id, states]) => [id, [...states], names.get(id)])).toEqual([]);
  expect(users.filter(({ id, name }) => !possible.has(id) && !tried.has(name))).toEqual([]);
  expect(total).toBe(users.length);
}

test('acknowledged writes survive kill -9 of processes that write and fold, and statistics stay exact', async () => {
  const service = await serviceOn.embedded({ sizes: { segmentUsers: 20 } });
  let [survivor, other] = [start('w0', service), start('w1', service)];
  for (let kills = 0; kills < KILLS; kills++) {
    const before = done;
    await expect.poll(() => done).toBeGreaterThan(before + 20);
    await setTimeout(random() * 500);
    await kill(other);
    [survivor, other] = [start(`w${kills + 2}`, service), survivor];
  }
  await Promise.all([kill(survivor), kill(other)]);
  await check(service);
  // A fold that lives ends what the last one had begun.
  await expect.poll(async () => (await service.fold()).left).toBe(0);
  expect(await verify(service)).toMatchObject({ ...NOTHING_WRONG, wrongChanges: 0 });
  await check(service);
  process.stderr.write(`${KILLS} kills, ${done} writes acknowledged\n`);
});
