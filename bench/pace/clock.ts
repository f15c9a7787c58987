/** Time that passes as usual while anything is done, and leaps to the next moment of interest when all are waiting. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Runtime, systemRuntime } from '../../lib/runtime.ts';

interface Sleeper {
  at: number;
  wake: () => void;
}

/** What a sum of times that are not whole may be wrong by, in milliseconds. */
const ROUNDING_MS = 0.001;

export interface LeapingClock extends Runtime {
  /** Time does not leap while this runs. */
  during<Result>(run: () => Promise<Result>): Promise<Result>;
}

/**
 * An hour of ten writes a minute takes as long as the writes. DynamoDB's units do not depend on time, so they are the same as
 * in an hour; and what takes long takes as long as it does, so a writer does not wait for a fold that is late.
 *
 * @param real the clock while anything is done
 */
export function createLeapingClock(real: Pick<Runtime, 'now' | 'monotonic' | 'random'> = systemRuntime): LeapingClock {
  const sleepers = new Set<Sleeper>();
  let [leapt, running] = [0, 0];
  let timer: NodeJS.Timeout | undefined;

  const monotonic = () => real.monotonic() + leapt;

  /** A moment without work is long enough to end what is between two calls. */
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

/** Lets time pass as usual while DynamoDB is asked. @returns what ends that */
export function followCalls({ middlewareStack }: DynamoDBDocumentClient, clock: LeapingClock): () => void {
  const name = 'followCalls';
  middlewareStack.add((next) => (args) => clock.during(() => next(args)), { step: 'initialize', name });
  return () => {
    middlewareStack.remove(name);
  };
}
