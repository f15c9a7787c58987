import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { servedFile } from './oneBundle.ts';

/** The function that folds the journal into the statistics. */
export const FOLD = 'fold';

/** Between the end of a run and the next, in milliseconds. */
export const PAUSE_MS = 1_000;

/** The duration of one run. The next run continues where it ended. */
const RUN_MS = 20_000;

export type FoldHandler = (event: object, context: object) => Promise<void>;

/** Loads the handler again, because its sources may have changed. */
const load = (workFolder: string): FoldHandler => createRequire(import.meta.url)(resolve(servedFile(workFolder)))[FOLD];

/** One run, called as Lambda does. */
export function callFold(handler: FoldHandler): Promise<void> {
  const end = performance.now() + RUN_MS;
  const getRemainingTimeInMillis = () => Math.round(end - performance.now());
  return handler({}, { functionName: FOLD, getRemainingTimeInMillis });
}

async function runFold(workFolder: string): Promise<void> {
  try {
    await callFold(load(workFolder));
  } catch {
    // The fold logs its own failures. When the bundle cannot be loaded, requests fail with the reason, and there is nothing to fold.
  }
}

/**
 * Calls the fold every second while this process runs. In a deployed stage the stream of the users table calls it, and a
 * schedule every minute.
 */
export function keepFolding(workFolder: string): void {
  const later = () => setTimeout(() => runFold(workFolder).finally(later), PAUSE_MS).unref();
  later();
}
