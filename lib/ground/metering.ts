import { AsyncLocalStorage } from 'node:async_hooks';

/** The cost of one request. */
export interface Meter {
  /** Read and write units as DynamoDB reports them. It charges for cancelled transactions, too, but does not report what. */
  readUnits: number;
  writeUnits: number;
  /** How many calls the sums lack, because the store has told no price. DynamoDB tells it, but for statements that have all failed. */
  unpriced?: number;
  /** Calls to DynamoDB, and the sum of their milliseconds. */
  calls: number;
  dynamoMs: number;
  /** How many attempts DynamoDB has throttled. Absent if none. */
  throttledCalls?: number;
  /** How a list came by its users: it had them, or has loaded a base. */
  replica?: string;
  /** How many users a list has beside an index: they have changed since its state. */
  besideIndex?: number;
  /** How many entries the journal had when it was read, and how many changes of it, and of deltas, the users lacked before. */
  journal?: number;
  changes?: number;
  /** How many operations a batch had, or users of an edit, and how many of them failed, by their status. */
  operations?: number;
  failed?: Record<number, number>;
  /** How many of those were faults, which no status of a response tells. Absent if none. */
  faultyOperations?: number;
  /** How many users an edit has changed. */
  changed?: number;
  /** How many members of the body nothing came of. Absent if none. */
  ignoredMembers?: number;
  /** The code of the error that the request got. */
  code?: string;
}

const current = new AsyncLocalStorage<Meter>();

/** Runs a function with a meter for all calls that it makes, at any depth. */
export function metered<Result>(run: (meter: Meter) => Promise<Result>): Promise<Result> {
  const meter: Meter = { readUnits: 0, writeUnits: 0, calls: 0, dynamoMs: 0 };
  return current.run(meter, () => run(meter));
}

/** The meter of the current request, if any. */
export const currentMeter = (): Meter | undefined => current.getStore();

/** Notes something of the current request, if any. */
export const note = (values: Partial<Meter>): void => {
  Object.assign(currentMeter() ?? {}, values);
};
