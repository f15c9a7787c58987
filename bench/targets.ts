/** What lines of the report are, and what they should cost. */
import type { Measure, Spread } from './figures.ts';

/** What should not be exceeded, or in a line of least figures what should be reached. */
export type Target = Partial<Record<Measure, Partial<Spread>>>;

/** Targets up to 100,000 users, and those of larger stores where they are others. */
export interface Line {
  target: Target;
  larger?: Target;
  /** The targets are the least that should be reached, not the most. */
  isLeast?: true;
}

export interface Table {
  title: string;
  /** What the numbers are, if they are not what `columns` says. */
  legend?: string;
  /** What a cell shows. */
  columns: Partial<Record<Measure, readonly (keyof Spread)[]>>;
  lines: Readonly<Record<string, Line>>;
  /** Shown only when some of it has been measured: a run of its own measures it. */
  isApart?: true;
}

const LARGE = 100_000;

export const most = (units: number, larger = units): Line => ({
  target: { units: { most: units } },
  larger: { units: { most: larger } },
});
export const median = (units: number): Line => ({ target: { units: { median: units } } });
/** Of a figure that is one number. */
export const least = (units: number, larger = units): Line => ({
  target: { units: { most: units } },
  larger: { units: { most: larger } },
  isLeast: true,
});
export const NONE: Line = { target: {} };

/** The targets of a line in a store of so many users. */
export const targetAt = (users: number, { target, larger = target }: Line): Target => (users > LARGE ? larger : target);
