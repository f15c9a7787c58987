import type { Measurement } from './figures.ts';
import { TABLES } from './tables.ts';

/** A run measures some tables of a size. It keeps what other runs have recorded of the others, and drops what is measured no more. */
export function merged(recorded: Measurement | undefined, { users, tables }: Measurement): Measurement {
  const all = { ...recorded?.tables, ...tables };
  return {
    users,
    tables: Object.fromEntries(Object.keys(TABLES).flatMap((title) => (all[title] ? [[title, all[title]]] : []))),
  };
}

/** A line for each figure, so that a change shows what has changed. */
export const toFile = (measurements: readonly Measurement[]): string =>
  `${JSON.stringify(measurements, null, 1).replaceAll(/{\n\s+("\w+": [\d.]+(?:,\n\s+"\w+": [\d.]+)*)\n\s+}/g, (_, inner: string) => `{ ${inner.replaceAll(/\n\s+/g, ' ')} }`)}\n`;
