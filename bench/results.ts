import type { Figure, Measurement } from './figures.ts';
import { isOfPace } from './pace/lines.ts';

/** From lines of JSON. */
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

/** The pace of the fold is measured apart from the rest, so each of the two leaves what the other has found. */
export function merged(recorded: Measurement | undefined, found: Measurement, ofPace: boolean): Measurement {
  if (!recorded) return found;
  const kept = only(recorded.figures, (title) => isOfPace(title) !== ofPace);
  return {
    users: found.users,
    compared: ofPace ? recorded.compared : found.compared,
    figures: ofPace ? { ...kept, ...found.figures } : { ...found.figures, ...kept },
  };
}
