/** The lines of the report, and what they should cost. */
import type { Measure, Spread } from './figures.ts';

/** Limits that figures should not exceed, or with `isLeast` should reach. */
export type Target = Partial<Record<Measure, Partial<Spread>>>;

/** The target up to 100,000 users, and the target of larger stores if it is another one. */
export interface Line {
  target: Target;
  larger?: Target;
  /** The figures should be at least as high as the targets. */
  isLeast?: true;
}

export interface Table {
  title: string;
  /** What the numbers are, if they are not what `columns` says. */
  legend?: string;
  /** What a cell shows. */
  columns: Partial<Record<Measure, readonly (keyof Spread)[]>>;
  lines: Readonly<Record<string, Line>>;
  /** Only `--pace` measures this table. It is shown if some of it was measured. */
  isApart?: true;
}

const LARGE = 100_000;

export const most = (units: number, larger = units): Line => ({
  target: { units: { most: units } },
  larger: { units: { most: larger } },
});
export const median = (units: number): Line => ({ target: { units: { median: units } } });
/** For a figure that is a single number. */
export const least = (units: number, larger = units): Line => ({
  target: { units: { most: units } },
  larger: { units: { most: larger } },
  isLeast: true,
});
export const NONE: Line = { target: {} };

/** The targets of a line in a store of so many users. */
export const targetAt = (users: number, { target, larger = target }: Line): Target => (users > LARGE ? larger : target);
