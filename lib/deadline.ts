import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from './errors.ts';
import type { Runtime } from './runtime.ts';

/** Less time than this is too short for a call of DynamoDB: it would be ended half way, and nobody knew what it did. */
const SHORTEST_CALL_MS = 100;

interface Deadline {
  /** In Unix milliseconds. */
  at: number;
  outer: Deadline | undefined;
}

const current = new AsyncLocalStorage<Deadline>();

const endOf = (deadline: Deadline | undefined): number =>
  deadline ? Math.min(deadline.at, endOf(deadline.outer)) : Number.POSITIVE_INFINITY;

/**
 * Runs a function and lets all that it causes, at any depth, end by a moment, or by that of an outer deadline if it is
 * earlier. What still runs when the function has ended works for nobody, and finds its deadline in the past.
 *
 * @param at in Unix milliseconds
 */
export async function withDeadline<Result>(at: number, run: () => Promise<Result>): Promise<Result> {
  const deadline: Deadline = { at, outer: current.getStore() };
  try {
    return await current.run(deadline, run);
  } finally {
    deadline.at = Number.NEGATIVE_INFINITY;
  }
}

/** Milliseconds until the deadline of the caller; infinite where there is none. */
export const timeLeft = ({ now }: Pick<Runtime, 'now'>): number => endOf(current.getStore()) - now();

/**
 * Lambda freezes a container that has answered and thaws it for another request, so the time is asked for anew before
 * each step of a request.
 *
 * @throws {ServiceError} 503 when no call can end in time, or none after a pause of so many milliseconds
 */
export function ensureTime(runtime: Pick<Runtime, 'now'>, pause = 0): void {
  if (timeLeft(runtime) < pause + SHORTEST_CALL_MS) throw unavailable('The request ran out of time');
}

/** @throws {ServiceError} 503 when there is no time for a call after it */
export async function sleepWithin(runtime: Pick<Runtime, 'now' | 'sleep'>, milliseconds: number): Promise<void> {
  ensureTime(runtime, milliseconds);
  await runtime.sleep(milliseconds);
  ensureTime(runtime);
}
