import type { Measurement } from './figures.ts';
import { TABLES } from './tables.ts';

const LARGEST_STORE = 1_000_000;

/** A run measures some tables of a size. It keeps what other runs have recorded of the others, and drops what is measured no more. */
export function merged(recorded: Measurement | undefined, { users, versions, tables }: Measurement): Measurement {
  const kept = <Each>(all: Record<string, Each>): Record<string, Each> =>
    Object.fromEntries(Object.keys(TABLES).flatMap((title) => (all[title] ? [[title, all[title]]] : [])));
  return {
    users,
    versions: kept({ ...recorded?.versions, ...versions }),
    tables: kept({ ...recorded?.tables, ...tables }),
  };
}

/** Sizes with a store. */
export const ofStores = (measurements: readonly Measurement[]): Measurement[] =>
  measurements.filter(({ users }) => users <= LARGEST_STORE);

const NUMBERS = /{\n\s+("\w+": (?:[\d.]+|{ [^}]* })(?:,\n\s+"\w+": (?:[\d.]+|{ [^}]* }))*)\n\s+}/g;

const onOneLine = (json: string): string =>
  json.replaceAll(NUMBERS, (_, inner: string) => `{ ${inner.replaceAll(/\n\s+/g, ' ')} }`);

/** A line for each figure, so that a change shows what has changed. The least of several runs are numbers within one. */
export const toFile = (measurements: readonly Measurement[]): string =>
  `${onOneLine(onOneLine(JSON.stringify(measurements, null, 1)))}\n`;
