/** Calls at a constant rate, and a clock that passes as usual while something is done and leaps when everybody sleeps. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Runtime, systemRuntime } from '../lib/runtime.ts';

interface Sleeper {
  at: number;
  wake: () => void;
}

/** Sums of fractions of milliseconds may be wrong by so much. */
const ROUNDING_MS = 0.001;

export interface LeapingClock extends Runtime {
  /** The clock does not leap while this runs. */
  during<Result>(run: () => Promise<Result>): Promise<Result>;
}

/**
 * With it, an hour of ten writes a minute takes only as long as the writes, and costs the same: DynamoDB's units do not depend on
 * time. Work takes its real time, so a slow fold does not hold up a writer.
 *
 * @param real the clock while something is done
 */
export function createLeapingClock(real: Pick<Runtime, 'now' | 'monotonic' | 'random'> = systemRuntime): LeapingClock {
  const sleepers = new Set<Sleeper>();
  let [leapt, running] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  const monotonic = () => real.monotonic() + leapt;

  /** Sets the timer for the next sleeper. When nothing is done it is 0 ms, in which code between two calls can still run. */
  function arm(): void {
    clearTimeout(timer);
    if (sleepers.size === 0) return;
    const next = Math.min(...[...sleepers].map(({ at }) => at));
    timer = setTimeout(() => wakeAt(next), running === 0 ? 0 : Math.max(0, next - monotonic()));
  }

  function wakeAt(next: number): void {
    if (running === 0) leapt += Math.max(0, next - monotonic());
    const now = monotonic() + ROUNDING_MS;
    for (const sleeper of sleepers) {
      if (sleeper.at > now) continue;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
    arm();
  }

  return {
    monotonic,
    now: () => Math.floor(real.now() + leapt),
    random: real.random,
    sleep: (milliseconds) =>
      new Promise<void>((wake) => {
        sleepers.add({ at: monotonic() + milliseconds, wake });
        arm();
      }),
    async during(run) {
      running++;
      arm();
      try {
        return await run();
      } finally {
        running--;
        arm();
      }
    },
  };
}

/** Lets the clock pass as usual while DynamoDB is asked. @returns a function that ends this */
export function followCalls({ middlewareStack }: DynamoDBDocumentClient, clock: LeapingClock): () => void {
  const name = 'followCalls';
  middlewareStack.add((next) => (args) => clock.during(() => next(args)), { step: 'initialize', name });
  return () => {
    middlewareStack.remove(name);
  };
}

export interface Arrivals {
  /** How many calls have succeeded. */
  done(): number;
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
    done: () => done,
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
