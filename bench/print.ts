import type { Figures, Measurement } from './figures.ts';
import type { Title } from './tables.ts';

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
