/** What a figure should be at every size of the store: in the middle, and at most. */
export interface Target {
  median?: number;
  most?: number;
}

/** What one measurement found. */
export interface Cost {
  units: number;
  /** Calls one after another. */
  steps?: number;
  /** What was asked, and how it was answered. */
  query?: string;
  plan?: string;
}

/** The costs of requests of one kind. */
export interface Figure {
  title: string;
  target: Target;
  requests: number;
  median: number;
  most: number;
  /** The most expensive one. */
  worst: Cost;
}

/** Figures that belong together. */
export interface Group {
  title: string;
  figures: Figure[];
}

/** One page in read units, read by this service and in the two usual ways. */
export interface Compared {
  title: string;
  units: number;
  /** Not measured for very many users. */
  scan?: number;
  skip?: number;
}

/** What was found out about a store. */
export interface Measurement {
  users: number;
  groups: Group[];
  compared: Compared[];
}

const byUnits = (a: Cost, b: Cost): number => a.units - b.units;

export function summarize(title: string, target: Target, costs: readonly Cost[]): Figure {
  const sorted = costs.toSorted(byUnits);
  const [middle, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (!middle || !worst) throw new Error(`Nothing was asked for "${title}"`);
  return { title, target, requests: sorted.length, median: middle.units, most: worst.units, worst };
}

const exceeds = (value: number, limit = Number.POSITIVE_INFINITY): boolean => value > limit;

export const isMissed = ({ target, median, most }: Figure): boolean =>
  exceeds(median, target.median) || exceeds(most, target.most);
