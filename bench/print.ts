import { SingleBar } from 'cli-progress';
import type { Figures, Measurement } from './figures.ts';
import type { Title } from './tables.ts';

/** Starts a progress bar on standard error. */
export function startBar(total: number, unit: string): SingleBar {
  const format = `{bar} {value}/{total} ${unit}, {eta_formatted} left`;
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: 10_000 });
  bar.start(total, 0);
  return bar;
}

/** Measures tables one after another, and tells on standard error how long each took. */
export async function measureTables(
  parts: Partial<Record<Title, () => Promise<Figures>>>,
): Promise<Measurement['tables']> {
  const tables: Measurement['tables'] = {};
  for (const [title, measure] of Object.entries(parts)) {
    const start = performance.now();
    tables[title] = await measure();
    process.stderr.write(`  ${title}: ${Math.round((performance.now() - start) / 1_000)} s\n`);
  }
  return tables;
}
