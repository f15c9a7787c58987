import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from './errors.ts';
import type { Runtime } from './runtime.ts';

/** A call to DynamoDB in less time would be cut off, and nobody would know whether it wrote. */
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
 * Runs a function with a deadline for every call that it makes, at any depth. An earlier deadline of a caller applies, too.
 * When the function ends, its deadline moves to the past: work that it left running serves nobody.
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

/** Runs a function without a deadline: its work serves later callers, too. */
export const withoutDeadline = <Result>(run: () => Promise<Result>): Promise<Result> => current.exit(run);

/** Milliseconds until the deadline of the caller. Infinite if there is none. */
export const timeLeft = ({ now }: Pick<Runtime, 'now'>): number => endOf(current.getStore()) - now();

/**
 * Call it before each call to DynamoDB: Lambda freezes a container after its response and thaws it for another
 * request, so any amount of time may have passed.
 *
 * @param pause milliseconds that the caller will wait before the call
 * @throws {ServiceError} 503 when a call cannot end in time
 */
export function ensureTime(runtime: Pick<Runtime, 'now'>, pause = 0): void {
  if (timeLeft(runtime) < pause + SHORTEST_CALL_MS) throw unavailable('The request ran out of time');
}

/** @throws {ServiceError} 503 when there is no time for a call after the pause */
export async function sleepWithin(runtime: Pick<Runtime, 'now' | 'sleep'>, milliseconds: number): Promise<void> {
  ensureTime(runtime, milliseconds);
  await runtime.sleep(milliseconds);
  ensureTime(runtime);
}
