/**
 * `npm run rehearse`: deploys stages to a local stand-in for AWS and rehearses what happens to them in its life. It uses no
 * AWS account. standIn.py adds what the stand-in lacks.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { systemRuntime } from '../../../lib/runtime.ts';
import { readOptions } from '../../import/options.ts';
import { runMain } from '../../import/stop.ts';
import { startServer } from '../../local/server.ts';
import { findPython } from '../prerequisites.ts';
import { copyShell } from '../projectCopy.ts';
import { rehearsalWith } from './rehearsal.ts';
import { STEPS } from './steps.ts';

const here = (file: string): string => join(import.meta.dirname, file);

const START_TIMEOUT_MS = 60_000;

async function rehearse(): Promise<number> {
  readOptions({}, 'Usage: npm run rehearse. Needs Python');
  const python = findPython('The rehearsal', 'nothing was rehearsed', here('requirements.txt'), '.local/rehearsal');
  const { endpoint, stop } = await startServer('The stand-in for AWS', START_TIMEOUT_MS, (port) =>
    spawn(python, [here('standIn.py'), port], { stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  const project = copyShell();
  const rehearsal = rehearsalWith(endpoint, project.root);
  try {
    for (const [title, run] of Object.entries(STEPS)) {
      const start = systemRuntime.now();
      await run(rehearsal).catch((cause: Error) => {
        throw new Error(`✗ ${title}: ${cause.message}`, { cause });
      });
      process.stdout.write(`✓ ${title} (${Math.round((systemRuntime.now() - start) / 1_000)} s)\n`);
    }
  } finally {
    await stop();
    project.remove();
  }
  return 0;
}

runMain(rehearse, 1);
