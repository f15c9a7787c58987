import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProblemCode } from './errors.ts';

/** What one request cost. */
export interface Meter {
  /** Read and write units as DynamoDB reports them. It charges for cancelled transactions, too, but does not report what. */
  readUnits: number;
  writeUnits: number;
  /** Calls to DynamoDB, and the sum of their milliseconds. */
  calls: number;
  dynamoMs: number;
  /** The plan of a listing. */
  plan?: string;
  /** How many entries the journal had when it was read. */
  journal?: number;
  /** The code of the error that the request got. */
  code?: ProblemCode;
}

const current = new AsyncLocalStorage<Meter>();

/** Runs a function with a meter for all calls that it makes, at any depth. */
export function metered<Result>(run: (meter: Meter) => Promise<Result>): Promise<Result> {
  const meter: Meter = { readUnits: 0, writeUnits: 0, calls: 0, dynamoMs: 0 };
  return current.run(meter, () => run(meter));
}

/** The meter of the current request, if any. */
export const currentMeter = (): Meter | undefined => current.getStore();

export function notePlan(plan: string): void {
  const meter = currentMeter();
  if (meter) meter.plan = plan;
}

export function noteJournal(entries: number): void {
  const meter = currentMeter();
  if (meter) meter.journal = entries;
}

export function noteCode(code: ProblemCode): void {
  const meter = currentMeter();
  if (meter) meter.code = code;
}
