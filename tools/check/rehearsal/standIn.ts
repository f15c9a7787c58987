import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemRuntime } from '../../../lib/runtime.ts';
import { freePort } from '../../local/port.ts';
import type { PythonProgram } from '../python.ts';

/** The stand-in for AWS. */
export const MOTO: PythonProgram = {
  name: 'moto',
  user: 'The rehearsal',
  loss: 'nothing was rehearsed',
  requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
  folder: '.local/rehearsal',
};

const PROGRAM = fileURLToPath(new URL('standIn.py', import.meta.url));
const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 200;

/** A stand-in for AWS on this machine. */
export interface StandIn {
  endpoint: string;
  /** From now on, resources with these logical ids cannot be created, and alarms with them go off during a deployment. */
  breakResources(logicalIds: readonly string[]): void;
  stop(): void;
}

async function untilItResponds(endpoint: string, hasEnded: () => boolean): Promise<void> {
  const deadline = systemRuntime.now() + START_TIMEOUT_MS;
  while (systemRuntime.now() < deadline && !hasEnded()) {
    const isUp = await fetch(`${endpoint}/moto-api/`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await systemRuntime.sleep(POLL_INTERVAL_MS);
  }
  throw new Error('The stand-in for AWS does not respond');
}

/** @param python a Python with moto's server */
export async function startStandIn(python: string): Promise<StandIn> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  const broken = join(folder, 'broken');
  const log = openSync(join(folder, 'log'), 'w');
  writeFileSync(broken, '');
  const child = spawn(python, [PROGRAM, String(port), broken, process.execPath], { stdio: ['ignore', log, log] });
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  const stop = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', stop);
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItResponds(endpoint, () => hasEnded);
  return { endpoint, breakResources: (ids) => writeFileSync(broken, ids.join('\n')), stop };
}
