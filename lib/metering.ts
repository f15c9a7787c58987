import { AsyncLocalStorage } from 'node:async_hooks';

/** What one request took. */
export interface Meter {
  /** Read and write units as DynamoDB charges them. */
  readUnits: number;
  writeUnits: number;
  /** Calls of DynamoDB, and how long they took one after another, in milliseconds. */
  calls: number;
  dynamoMs: number;
  /** How a listing was read. */
  plan?: string;
  /** How many entries the journal had when it was read. */
  journal?: number;
}

const current = new AsyncLocalStorage<Meter>();

/** Runs a function and lets all that it causes, at any depth, be added to one meter. */
export function metered<Result>(run: (meter: Meter) => Promise<Result>): Promise<Result> {
  const meter: Meter = { readUnits: 0, writeUnits: 0, calls: 0, dynamoMs: 0 };
  return current.run(meter, () => run(meter));
}

/** The meter of the request that the caller works for, if any. */
export const currentMeter = (): Meter | undefined => current.getStore();

export function describePlan(plan: string): void {
  const meter = currentMeter();
  if (meter) meter.plan = plan;
}

export function noteJournal(entries: number): void {
  const meter = currentMeter();
  if (meter) meter.journal = entries;
}
