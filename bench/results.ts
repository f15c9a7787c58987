import type { Measurement } from './figures.ts';
import { TITLES } from './lines.ts';

/** A run measures some lines of a size. It keeps what other runs have recorded of the others, and drops what is measured no more. */
export function merged(recorded: Measurement | undefined, { users, figures }: Measurement): Measurement {
  const all = { ...recorded?.figures, ...figures };
  return { users, figures: Object.fromEntries(TITLES.flatMap((title) => (all[title] ? [[title, all[title]]] : []))) };
}

/** A line for each figure, so that a change shows what has changed. */
export const toFile = (measurements: readonly Measurement[]): string => {
  const lineOf = ([title, figure]: [string, object]) => `    ${JSON.stringify(title)}: ${JSON.stringify(figure)}`;
  const parts = measurements.map(
    ({ users, figures }) =>
      `{\n  "users": ${users},\n  "figures": {\n${Object.entries(figures).map(lineOf).join(',\n')}\n  }\n}`,
  );
  return `[${parts.join(',')}]\n`;
};
