import { type Meter, metered } from '../lib/metering.ts';

/** What one request cost. */
export interface Cost {
  /** Read units, unless the line says something else. */
  units: number;
  /** Calls to DynamoDB. */
  calls?: number;
  /** Calls one after another: the rounds, if all calls took the same time. */
  rounds?: number;
  /** What was asked, and how it was answered. */
  query?: string;
  plan?: string;
}

export type Measure = 'units' | 'calls' | 'rounds';

/** The median, what 95 of 100 do not exceed, and the maximum. */
export interface Spread {
  median: number;
  of95?: number;
  most: number;
}

/** The costs of requests of one kind. */
export interface Figure extends Partial<Record<Measure, Spread>> {
  units: Spread;
}

/** Everything that was measured at one size. */
export interface Measurement {
  users: number;
  /** By the titles of lines. A line that is newer than the record is missing. */
  figures: Record<string, Figure>;
}

export const writeUnits = (meter: Meter): number => meter.writeUnits;
export const allUnits = (meter: Meter): number => meter.readUnits + meter.writeUnits;

/** The cost of a function that asks DynamoDB. */
export const costOf = (unitsOf: (meter: Meter) => number, run: () => Promise<unknown>): Promise<Cost> =>
  metered(async (meter) => {
    await run();
    return { units: unitsOf(meter), calls: meter.calls };
  });

function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const [median, of95] = [Math.floor(sorted.length / 2), Math.ceil(0.95 * sorted.length) - 1].map((i) => sorted[i]);
  const most = sorted.at(-1);
  return median === undefined || of95 === undefined || most === undefined ? undefined : { median, of95, most };
}

export const median = (values: readonly number[]): number => spreadOf(values)?.median ?? Number.NaN;

export function summarize(costs: readonly Cost[]): Figure {
  const [units, calls, rounds] = (['units', 'calls', 'rounds'] as const).map((measure) =>
    spreadOf(costs.flatMap((cost) => cost[measure] ?? [])),
  );
  if (!units) throw new Error('Nothing was asked');
  return { units, ...(calls && { calls }), ...(rounds && { rounds }) };
}

/** A figure that is a single number. */
export const one = (units: number): Figure => summarize([{ units }]);
