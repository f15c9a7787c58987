/**
 * Time that passes only while everyone waits, so that the speed of this machine says nothing about a simulation. Each part sleeps by
 * `runtime`; what takes real time, such as a call of a real store, goes through `outside`. Sleepers wake one at a time, in the order of their
 * moments, each when all that the one before has set in motion waits again. So a simulation has one course for each seed.
 */
import { setImmediate } from 'node:timers/promises';
import type { Runtime } from '../../lib/ground/index.ts';
import { chanceOf } from '../population.ts';
import { SEED } from '../sample.ts';

interface Sleeper {
  at: number;
  wake: () => void;
}

export interface Clock {
  runtime: Runtime;
  /** The clock stands still meanwhile. */
  outside<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Runs a simulation until its task ends. @throws {Error} when nobody sleeps, and it has not ended */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** @param start the Unix milliseconds at which it begins */
export function createClock(start: number, seed = SEED): Clock {
  let time = 0;
  const sleepers: Sleeper[] = [];
  const outside = new Set<Promise<unknown>>();
  const { random } = chanceOf(seed);

  /** Behind all who wake no later. */
  function sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const at = time + Math.max(0, milliseconds);
    const place = sleepers.findLastIndex((sleeper) => sleeper.at <= at) + 1;
    sleepers.splice(place, 0, { at, wake: resolve });
    return promise;
  }

  async function untilAllWait(): Promise<void> {
    do {
      await Promise.allSettled(outside);
      await setImmediate();
    } while (outside.size > 0);
  }

  return {
    runtime: { now: () => start + Math.floor(time), monotonic: () => time, processor: () => time, random, sleep },

    async outside(run) {
      const running = run();
      outside.add(running);
      return running.finally(() => outside.delete(running));
    },

    async run(task) {
      let isOver = false;
      const running = task().finally(() => {
        isOver = true;
      });
      // The caller gets the error from the last line.
      running.catch(() => {});
      for (await untilAllWait(); !isOver; await untilAllWait()) {
        const next = sleepers.shift();
        if (!next) throw new Error('Everyone waits for something that is not of this clock');
        time = next.at;
        next.wake();
      }
      return running;
    },
  };
}
