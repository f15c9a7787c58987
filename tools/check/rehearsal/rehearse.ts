/**
 * `npm run rehearse`: deploys stages to a local stand-in for AWS, and rehearses what happens to them in their life. It uses no
 * AWS account. standIn.py adds what the stand-in lacks.
 */
import { systemRuntime } from '../../../lib/ground/index.ts';
import { readOptions } from '../../program/options.ts';
import { runCheck } from '../prerequisites.ts';
import { copyShell } from '../projectCopy.ts';
import { startIssuer } from './issuer.ts';
import { prepared, rehearsalWith } from './rehearsal.ts';
import { startStandIn } from './standIn.ts';
import { STEPS } from './steps.ts';

async function rehearse(): Promise<number> {
  readOptions({}, 'Usage: npm run rehearse. Needs Python');
  const standIn = await startStandIn();
  const shell = copyShell();
  try {
    const rehearsal = rehearsalWith(standIn, await startIssuer(), prepared(shell));
    for (const [title, run] of Object.entries(STEPS)) {
      const start = systemRuntime.now();
      await run(rehearsal).catch((cause: Error) => {
        const refused = standIn.refusals().map((refusal) => `\nrefused: ${refusal}`);
        throw new Error(`✗ ${title}: ${cause.message}${refused.join('')}`, { cause });
      });
      process.stdout.write(`✓ ${title} (${Math.round((systemRuntime.now() - start) / 1_000)} s)\n`);
    }
  } finally {
    await standIn.stop();
    shell.remove();
  }
  return 0;
}

runCheck(rehearse);
