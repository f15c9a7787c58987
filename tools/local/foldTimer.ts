import { constants, getPriority, platform, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** The function that folds the journal into deltas, and these into the base. */
export const FOLD = 'fold';

/** The functions that a timer calls here. The second one sends events. */
export const TIMED = [FOLD, 'sendEvents'];

/** Between the end of a run and the next, in milliseconds. */
const PAUSE_MS = 1_000;

/** As long as a call may take in a stage. The next run continues where it ended. */
const RUN_MS = 300_000;

/** The handler of the fold, or of the sender of events. */
export type FoldHandler = (event: object, context: object) => Promise<void>;

/** One run, called as Lambda does. */
function call(handler: FoldHandler, functionName: string): Promise<void> {
  const end = performance.now() + RUN_MS;
  const getRemainingTimeInMillis = () => Math.round(end - performance.now());
  return handler({}, { functionName, getRemainingTimeInMillis });
}

/** Requests come first when processors are busy. On Linux a thread has a priority of its own; elsewhere only the whole process has one. */
function yieldToRequests(): void {
  if (platform() === 'linux') setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}

/** Calls a handler until its thread ends. @param load gives the handler, whose sources may have changed since the last run */
export async function foldForEver(load: () => FoldHandler | Promise<FoldHandler>, name = FOLD): Promise<never> {
  yieldToRequests();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    try {
      await call(await load(), name);
    } catch {
      // Handlers log their own failures. When the bundle cannot be loaded, requests fail with the reason, and there is nothing to do.
    }
  }
}

/**
 * Starts a thread that folds, and that sends events, every second while this process runs. In a deployed stage the stream of the users
 * table calls them, and a schedule every minute.
 */
export function startFolding(file: URL, workerData: unknown): Worker {
  const worker = new Worker(file, { workerData });
  worker.unref();
  return worker;
}
