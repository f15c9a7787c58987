import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { servedFile } from './oneBundle.ts';

/** The function that folds what was written into the statistics. */
export const FOLD = 'fold';

const PAUSE_MS = 1_000;

/** What a run of it may take; what it leaves, the next one finds. */
const RUN_MS = 20_000;

type Handler = (event: object, context: object) => Promise<void>;

/** As it is now, also after a source has changed. */
const load = (workFolder: string): Handler => createRequire(import.meta.url)(resolve(servedFile(workFolder)))[FOLD];

async function ring(workFolder: string): Promise<void> {
  const end = performance.now() + RUN_MS;
  const getRemainingTimeInMillis = () => Math.round(end - performance.now());
  try {
    await load(workFolder)({}, { functionName: FOLD, getRemainingTimeInMillis });
  } catch {
    // It logs what fails in it. Without a bundle that loads, requests fail, and say why; then there is nothing to fold either.
  }
}

/**
 * Calls the fold each second, as the stream of the users table does after writes where it is deployed: in this process, and
 * as long as this process runs. It sees what others have written to the same store, too.
 */
export function keepFolding(workFolder: string): void {
  const later = () => setTimeout(() => ring(workFolder).finally(later), PAUSE_MS).unref();
  later();
}
