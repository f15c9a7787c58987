import { SingleBar } from 'cli-progress';
import type { Figures } from './figures.ts';

/** Starts a progress bar on standard error. */
export function startBar(total: number, unit: string): SingleBar {
  const format = `{bar} {value}/{total} ${unit}, {eta_formatted} left`;
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 10_000 });
  bar.start(total, 0);
  return bar;
}

/** Runs parts of a measurement one after another, and tells on standard error how long each took. */
export async function measureParts(parts: Record<string, () => Promise<Figures>>): Promise<Figures> {
  const figures: Figures = {};
  for (const [name, measure] of Object.entries(parts)) {
    const start = performance.now();
    Object.assign(figures, await measure());
    process.stderr.write(`  ${name}: ${Math.round((performance.now() - start) / 1_000)} s\n`);
  }
  return figures;
}
