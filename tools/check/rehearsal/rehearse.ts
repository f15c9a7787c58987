/**
 * `npm run rehearse`: deploys stages to a local stand-in for AWS and rehearses what happens to them in its life. It uses no
 * AWS account. standIn.py adds what the stand-in lacks.
 */
import { systemRuntime } from '../../../lib/runtime.ts';
import { endWith } from '../../prerequisites.ts';
import { copyShell } from '../projectCopy.ts';
import { rehearsalWith } from './rehearsal.ts';
import { startStandIn } from './standIn.ts';
import { STEPS } from './steps.ts';

async function rehearse(): Promise<void> {
  const { endpoint, stop } = await startStandIn();
  const project = copyShell();
  const rehearsal = rehearsalWith(endpoint, project.root);
  try {
    for (const { title, run } of STEPS) {
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
}

rehearse().catch(endWith);
