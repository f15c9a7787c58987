/** What is simulated, and what came of it: `npm run bench -- --herd`. */
import { writeFileSync } from 'node:fs';
import type { Store } from '../data.ts';
import { type Figure, type Figures, spread } from '../figures.ts';
import { type Course, type Herd, simulate, type Wait } from './herd.ts';
import { KIND, UNKIND } from './partitions.ts';
import { mergeOf, pictureOf } from './picture.ts';

const PICTURE = 'bench/herd.svg';

const FIFTY: Herd = { containers: 50, capacity: UNKIND, salt: 1, basePartitions: 64, merges: true };
const PICTURED = '50 containers, a new table';
const WARM = { ...UNKIND, partitions: 8 };

const VARIANTS: Record<string, Herd> = {
  [PICTURED]: FIFTY,
  'the same, and parts under 16 keys': { ...FIFTY, basePartitions: 16 },
  'the same, and parts under one key': { ...FIFTY, basePartitions: 1 },
  '50 containers, a table that was warmed to 24,000 read units': { ...FIFTY, capacity: WARM },
  '50 containers, a new table that keeps units for five minutes': { ...FIFTY, capacity: KIND },
  '10 containers, a new table': { ...FIFTY, containers: 10 },
  '100 containers, a new table': { ...FIFTY, containers: 100 },
  'no new container: the merge alone': { ...FIFTY, containers: 0 },
  'neither a container nor a merge': { ...FIFTY, containers: 0, merges: false },
};

const millisecondsOf = (waits: readonly Wait[]): number[] => waits.map(({ began, ended }) => ended - began);
const failed = (waits: readonly Wait[]): number => waits.filter(({ isFailed }) => isFailed).length;

function figureOf(course: Course): Figure {
  const { containers, lists, writes, notes } = course;
  const seconds = millisecondsOf(containers).map((each) => each / 1_000);
  const { median, most } = spread(seconds.length > 0 ? seconds : [0]);
  const merge = mergeOf(course);
  return {
    median,
    most,
    failed: failed(containers) + failed(lists) + failed(writes),
    refused: notes.filter(({ isRefused }) => isRefused).length,
    list: spread(millisecondsOf(lists)).most,
    write: spread(millisecondsOf(writes)).most,
    merge: merge ? Math.round((merge.ended - merge.began) / 1_000) : 0,
  };
}

const DESCRIPTION =
  'From the start of fifty containers on, a table serves some 12,000 read units a second and refuses thousands of calls, until all containers have answered. Lists of a warm container and creates go on, some of them later.';

/** @param withStore gives each variant a fresh store */
export async function measureHerd(
  withStore: (measure: (store: Store) => Promise<Course>) => Promise<Course>,
): Promise<Figures> {
  const figures: Figures = {};
  for (const [variant, herd] of Object.entries(VARIANTS)) {
    const course = await withStore((store) => simulate(store, herd));
    figures[variant] = figureOf(course);
    process.stderr.write(`    ${variant}: ${JSON.stringify(figures[variant])}\n`);
    if (variant === PICTURED)
      writeFileSync(PICTURE, pictureOf(course, `${variant}, a million users, creates and a merge`, DESCRIPTION));
  }
  return figures;
}
