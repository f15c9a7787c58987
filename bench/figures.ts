import { type Meter, metered } from '../lib/ground/index.ts';
import { times } from './sample.ts';

/** The kinds of numbers: one that stands alone, one of a distribution, the time of a question here or there, or with fewer users, the result of a herd. */
export type Stat =
  | ('one' | 'median' | 'of95' | 'most')
  | ('replica' | 'service' | 'peer' | 'ratio' | 'growth')
  | ('failed' | 'refused' | 'list' | 'write');

/** Of several runs the most of each number, and the least where they differ. */
export type Figure = Partial<Record<Stat, number>> & { least?: Partial<Record<Stat, number>> };

/** The lines of a table. */
export type Figures = Record<string, Figure>;

/** Everything that was measured at one size, by the titles of tables. */
export interface Measurement {
  users: number;
  /** By title: the version of the service that was measured. */
  versions: Record<string, string>;
  tables: Record<string, Figures>;
}

/** The cost of some work: the units and calls of DynamoDB, and milliseconds of processor time of this process. */
export interface Cost extends Pick<Meter, 'readUnits' | 'writeUnits' | 'calls'> {
  milliseconds: number;
}

export const costOf = (run: () => Promise<unknown>): Promise<Cost> =>
  metered(async (meter) => {
    const began = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(began);
    const { readUnits, writeUnits, calls } = meter;
    return { readUnits, writeUnits, calls, milliseconds: (user + system) / 1_000 };
  });

/** As many digits as tell something. */
const rounded = (value: number): number => (value < 100 ? Number(value.toPrecision(3)) : Math.round(value));

/** A figure that is a single number. */
export const one = (value: number): Figure => ({ one: rounded(value) });

/** The median, what 95 of 100 do not exceed, and the maximum. */
export function spread(values: readonly number[]): Figure & { median: number; most: number } {
  if (values.length === 0) throw new Error('Nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  const at = (i: number): number => rounded(sorted[i] ?? 0);
  const last = sorted.length - 1;
  return { median: at(Math.floor(sorted.length / 2)), of95: at(Math.ceil(0.95 * sorted.length) - 1), most: at(last) };
}

export const median = (values: readonly number[]): number => spread(values).median;

export const maximum = (values: readonly number[]): Figure => one(Math.max(...values));

/** Of all numbers of a figure the one that `choose` takes from the runs. */
function chosen(figures: readonly Figure[], choose: (...values: number[]) => number): Partial<Record<Stat, number>> {
  const stats = Object.keys(figures[0] ?? {}) as Stat[];
  return Object.fromEntries(stats.map((stat) => [stat, choose(...figures.map(({ [stat]: value = 0 }) => value))]));
}

/** Several runs of the same lines as one. */
function joined(runs: readonly Figures[]): Figures {
  const lines = Object.keys(runs[0] ?? {}).map((line): [string, Figure] => {
    const figures = runs.map(({ [line]: figure = {} }) => figure);
    const [least, most] = [chosen(figures, Math.min), chosen(figures, Math.max)];
    return [line, JSON.stringify(least) === JSON.stringify(most) ? most : { ...most, least }];
  });
  return Object.fromEntries(lines);
}

/** Measures what changes nothing some times. */
export const repeated = (runs: number, measure: () => Promise<Figures>) => async (): Promise<Figures> =>
  joined(await Array.fromAsync(times(runs), measure));
