import type { Figure, Measurement } from './figures.ts';
import { isOfPace } from './pace/lines.ts';

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
  const kept = only(recorded.figures, (title) => isOfPace(title) !== ofPace);
  return {
    users: found.users,
    compared: ofPace ? recorded.compared : found.compared,
    figures: ofPace ? { ...kept, ...found.figures } : { ...found.figures, ...kept },
  };
}
