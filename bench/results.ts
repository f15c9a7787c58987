import type { Figure, Measurement } from './figures.ts';
import { TABLES, type Table } from './lines.ts';

const PACE: ReadonlySet<string> = new Set(
  (TABLES as readonly Table[]).flatMap(({ isPace, lines }) => (isPace ? Object.keys(lines) : [])),
);

/** Reads what a run printed: lines of JSON. */
export function toMeasurement(users: number, output: string): Measurement {
  const parts: Partial<Measurement>[] = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return {
    users,
    compared: parts.flatMap(({ compared = [] }) => compared),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)),
  };
}

const only = (figures: Record<string, Figure>, isIn: (title: string) => boolean): Record<string, Figure> =>
  Object.fromEntries(Object.entries(figures).filter(([title]) => isIn(title)));

/** A run measures either the pace of the fold or everything else. It keeps what the other kind of run has recorded. */
export function merged(recorded: Measurement | undefined, found: Measurement, ofPace: boolean): Measurement {
  if (!recorded) return found;
  const kept = only(recorded.figures, (title) => PACE.has(title) !== ofPace);
  return {
    users: found.users,
    compared: ofPace ? recorded.compared : found.compared,
    figures: ofPace ? { ...kept, ...found.figures } : { ...found.figures, ...kept },
  };
}

/** A line for each figure, so that a change shows what has changed. */
export const toFile = (measurements: readonly Measurement[]): string => {
  const lineOf = ([title, figure]: [string, object]) => `    ${JSON.stringify(title)}: ${JSON.stringify(figure)}`;
  const parts = measurements.map(
    ({ users, compared, figures }) =>
      `{\n  "users": ${users},\n  "compared": ${JSON.stringify(compared)},\n  "figures": {\n${Object.entries(figures).map(lineOf).join(',\n')}\n  }\n}`,
  );
  return `[${parts.join(',')}]\n`;
};
