import { SingleBar } from 'cli-progress';
import type { Compared, Figure } from './figures.ts';
import type { Title } from './lines.ts';

/** Starts a progress bar on standard error. */
export function startBar(total: number, unit: string): SingleBar {
  const format = `{bar} {value}/{total} ${unit}, {eta_formatted} left`;
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 10_000 });
  bar.start(total, 0);
  return bar;
}

/** Prints the results of a part of a run as a line of JSON, and how long the part took on standard error. */
export async function print(
  name: string,
  measure: () => Promise<{ figures: object } | { compared: Compared[] }>,
): Promise<void> {
  const start = performance.now();
  process.stdout.write(`${JSON.stringify(await measure())}\n`);
  process.stderr.write(`  ${name}: ${Math.round((performance.now() - start) / 1_000)} s\n`);
}

export const printFigures = (name: string, measure: () => Promise<[Title, Figure][]>): Promise<void> =>
  print(name, async () => ({ figures: Object.fromEntries(await measure()) }));
