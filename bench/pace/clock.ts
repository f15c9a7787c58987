/** A clock that passes as usual while something is done, and leaps to the end of the next pause when everybody sleeps. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Runtime, systemRuntime } from '../../lib/runtime.ts';

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
