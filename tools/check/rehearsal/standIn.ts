import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../local/port.ts';
import { untilItResponds } from '../../local/server.ts';
import { findPython } from '../python.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The stand-in for AWS. */
const MOTO = {
  user: 'The rehearsal',
  loss: 'nothing was rehearsed',
  requirements: here('requirements.txt'),
  folder: '.local/rehearsal',
};

const START_TIMEOUT_MS = 60_000;

/** Starts a stand-in for AWS on this machine. */
export async function startStandIn(): Promise<{ endpoint: string; stop(): Promise<unknown> }> {
  const python = findPython(MOTO);
  const port = await freePort();
  const child = spawn(python, [here('standIn.py'), String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  const kill = () => child.kill();
  process.once('exit', kill);
  const endpoint = `http://127.0.0.1:${port}`;
  await untilItResponds('The stand-in for AWS', `${endpoint}/moto-api/`, child, START_TIMEOUT_MS);
  return {
    endpoint,
    stop: () => {
      kill();
      return ended;
    },
  };
}
