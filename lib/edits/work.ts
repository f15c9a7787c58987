/** Works on the users of an edit or of an undo, step by step (log.ts), until all are done or the time is over. */

import { inParallel, ServiceError, timeLeft, withDeadline } from '../ground/index.ts';
import type { Database } from '../users/database.ts';
import { userError } from '../users/errors.ts';
import { TRANSACTIONS_AT_ONCE } from '../users/store.ts';
import { type EditReport, type Failure, type Log, lastOf, noteWork, reportOf, type Step, withStep } from './log.ts';

/** Milliseconds for the work that has begun by then, before the answer is made. */
const LAST_MS = 3_000;
const ANSWER_MS = 1_000;

/** Longer than Lambda lets a call live: then nobody works on the step of a call any more. */
const LEASE_MS = 30_000;

/** The fate of a user. `passed`: it does not match any more, or is gone. `left`: nobody came to it, or nobody knows its fate. */
export type Outcome = 'changed' | 'unchanged' | 'passed' | 'left' | Failure;

export interface Work {
  /** The users whom no step has yet, by ascending ids. */
  waiting: readonly number[];
  /** How many come after these. */
  beyond: number;
  /** How many may be changed in all calls. */
  most: number;
  /** @param isAgain an earlier step has it already, so it may have been changed. @throws what a request for this user would be answered */
  one(id: number, isAgain: boolean): Promise<Outcome>;
  /** The error as a client is told of it. */
  toldOf(error: unknown): Omit<Failure, 'id'>;
  days: number;
  /** How long the call may work, in milliseconds, if its client wants an answer sooner than after `editMs`. */
  withinMs?: number | undefined;
}

export const busy = (seconds = 1): ServiceError =>
  userError('edit-busy', 'Another call works on this edit, or did so until a moment ago', {
    headers: { 'retry-after': String(seconds) },
  });

/** @throws {ServiceError} 409 while another call works on an edit */
export function refuseBusy({ runtime }: Database, log: Log): void {
  const wait = lastOf(log).until - runtime.now();
  if (wait > 0) throw busy(Math.ceil(wait / 1_000));
}

const countOf = (outcomes: readonly Outcome[], kind: Outcome): number =>
  outcomes.filter((outcome) => outcome === kind).length;

/** The next step, which is stored when a step is done. */
const after = (step: Step, outcomes: readonly Outcome[]): Step => ({
  ids: step.ids.filter((_, i) => outcomes[i] === 'left'),
  left: step.left,
  until: 0,
  changed: step.changed + countOf(outcomes, 'changed'),
  unchanged: step.unchanged + countOf(outcomes, 'unchanged'),
  failed: outcomes.filter((outcome) => typeof outcome === 'object'),
});

/** @throws {ServiceError} 409 if another call was faster, 503 if nothing could be done at all */
export async function work(database: Database, given: Log, todo: Work): Promise<EditReport> {
  const { runtime, limits } = database;
  const { waiting, beyond, most, one, toldOf, days, withinMs = limits.editMs } = todo;
  const [begun, time] = [runtime.now(), timeLeft(runtime)];
  const end = begun + Math.min(withinMs, limits.editMs, time - LAST_MS);
  let log = given;
  let last: Step = { ...lastOf(given), failed: [], end: undefined };
  const failed: Failure[] = [];
  /** Of those who wait, and how many are done. */
  let taken = 0;
  let done = 0;
  /** Ends the call: DynamoDB is throttled or unreachable. */
  let refusal: ServiceError | undefined;

  async function outcomeOf(id: number, isAgain: boolean): Promise<Outcome> {
    if (refusal || runtime.now() >= end) return 'left';
    try {
      return await one(id, isAgain);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 503) return { id, ...toldOf(error) };
      refusal = error;
      return 'left';
    }
  }

  const leftWith = (ids: readonly number[]): number => ids.length + waiting.length - taken + beyond;

  async function add(step: Step): Promise<void> {
    const next = await withStep(database, log, { ...step, left: leftWith(step.ids) }, days);
    if (!next) throw busy();
    log = next;
  }

  while (!refusal && runtime.now() < end) {
    const isAgain = last.ids.length > 0;
    const ids = isAgain ? last.ids : waiting.slice(taken, taken + Math.min(limits.editStep, most - last.changed));
    if (ids.length === 0) break;
    if (!isAgain) taken += ids.length;
    await add({ ...last, ids, until: runtime.now() + LEASE_MS });
    const outcomes = await withDeadline(begun + time - ANSWER_MS, () =>
      inParallel(ids, TRANSACTIONS_AT_ONCE, (id) => outcomeOf(id, isAgain)),
    );
    last = after(lastOf(log), outcomes);
    failed.push(...last.failed);
    done += ids.length - last.ids.length;
  }
  const left = leftWith(last.ids);
  await add({ ...last, until: 0, ...(left === 0 && { end: 'done' }) });
  if (refusal && done === 0) throw refusal;
  noteWork(lastOf(given), last, failed);
  return reportOf(log, left);
}
