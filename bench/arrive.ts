import type { Runtime } from '../lib/runtime.ts';

export interface Arrivals {
  failed(): number;
  /** The error of the first call that failed. */
  failure(): unknown;
  /** Begins no more calls and waits for the others. @returns how many of them succeeded in a second */
  stop(): Promise<number>;
}

/**
 * Calls a function at a constant rate, however long each call takes. A call that is late because the process was busy begins at
 * once.
 *
 * @param rate calls a second
 * @param run gets the moment at which the call was due, in milliseconds of the monotonic clock
 */
export function arrive(
  { monotonic, sleep }: Pick<Runtime, 'monotonic' | 'sleep'>,
  rate: number,
  run: (due: number) => Promise<unknown>,
): Arrivals {
  const started = monotonic();
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let [begun, done, isStopped] = [0, 0, false];
  const dueAt = (call: number) => started + (call * 1_000) / rate;

  function begin(): void {
    const call = run(dueAt(begun++))
      .then(
        () => done++,
        (error) => failures.push(error),
      )
      .finally(() => running.delete(call));
    running.add(call);
  }

  const beginning = (async () => {
    while (!isStopped) {
      while (dueAt(begun) <= monotonic()) begin();
      await sleep(Math.max(0, dueAt(begun) - monotonic()));
    }
  })();

  return {
    failed: () => failures.length,
    failure: () => failures[0],
    async stop() {
      isStopped = true;
      await beginning;
      await Promise.all(running);
      return (done / (monotonic() - started)) * 1_000;
    },
  };
}
