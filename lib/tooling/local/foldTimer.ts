import { Worker } from 'node:worker_threads';

/** The function that folds the journal into the statistics. */
export const FOLD = 'fold';

/** Between the end of a run and the next, in milliseconds. */
export const PAUSE_MS = 1_000;

/** As long as a call may take in a stage. The next run continues where it ended. */
const RUN_MS = 90_000;

export type FoldHandler = (event: object, context: object) => Promise<void>;

/** One run, called as Lambda does. */
export function callFold(handler: FoldHandler): Promise<void> {
  const end = performance.now() + RUN_MS;
  const getRemainingTimeInMillis = () => Math.round(end - performance.now());
  return handler({}, { functionName: FOLD, getRemainingTimeInMillis });
}

/** Calls a handler until its thread ends. @param load gives the handler, whose sources may have changed since the last run */
export async function foldForEver(load: () => FoldHandler | Promise<FoldHandler>): Promise<never> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    try {
      await callFold(await load());
    } catch {
      // The fold logs its own failures. When the bundle cannot be loaded, requests fail with the reason, and there is nothing to fold.
    }
  }
}

/** Starts a thread that folds, as the function does beside the others. It ends with the process. */
export function startFolding(file: URL, workerData: unknown): Worker {
  const worker = new Worker(file, { workerData });
  worker.unref();
  return worker;
}

/**
 * Calls the fold every second while this process runs. In a deployed stage the stream of the users table calls it, and a
 * schedule every minute.
 */
export const keepFolding = (workFolder: string): Worker =>
  startFolding(new URL('./foldWorker.ts', import.meta.url), workFolder);
