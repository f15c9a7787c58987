/** The variants of the simulation, and their results: `npm run bench -- --herd`. */
import type { Store } from '../data.ts';
import { type Figure, type Figures, spread } from '../figures.ts';
import { type Course, type Herd, simulate, type Wait } from './herd.ts';
import { NEW } from './partitions.ts';

const FIFTY = { containers: 50, partitions: NEW, salt: 1 };

const VARIANTS: Record<string, Herd> = {
  '50 containers, a new table, after a merge': { ...FIFTY, hasDeltas: false },
  '50 containers, a new table, before a merge': { ...FIFTY, hasDeltas: true },
};

const millisecondsOf = (waits: readonly Wait[]): number[] => waits.map(({ began, ended }) => ended - began);
const failed = (waits: readonly Wait[]): number => waits.filter(({ isFailed }) => isFailed).length;

function figureOf({ containers, lists, writes, refused }: Course): Figure {
  const { median, most } = spread(millisecondsOf(containers).map((each) => each / 1_000));
  return {
    ...{ median, most, refused },
    failed: failed(containers) + failed(lists) + failed(writes),
    list: spread(millisecondsOf(lists)).most,
    write: spread(millisecondsOf(writes)).most,
  };
}

/** @param withStore gives each variant a fresh store */
export async function measureHerd(
  withStore: (measure: (store: Store) => Promise<Course>) => Promise<Course>,
): Promise<Figures> {
  const figures: Figures = {};
  for (const [variant, herd] of Object.entries(VARIANTS)) {
    figures[variant] = figureOf(await withStore((store) => simulate(store, herd)));
    process.stderr.write(`    ${variant}: ${JSON.stringify(figures[variant])}\n`);
  }
  return figures;
}
