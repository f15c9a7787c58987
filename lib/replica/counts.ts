import { compareRows, type Row, type Value, type Work } from './definition.ts';
import { type Match, TICKS, type View } from './match.ts';
import { scratch } from './scratch.ts';
import { compareCodePoints } from './text.ts';

/** Up to so many combinations of values are counted in an array. */
const MOST_CELLS = 1 << 20;

/** A field of some users: by user the place of its value; how many places there are; the value of each. */
interface Dimension {
  readonly places: Uint32Array;
  readonly span: number;
  valueAt(place: number): Value | undefined;
}

export interface Count {
  readonly values: (Value | undefined)[];
  readonly count: number;
}

/** Divides users by one field after the other. By combination of places: how many users have it, and one of them. */
function tally(dimensions: readonly Dimension[], users: Uint32Array, work: Work): [user: number, count: number][] {
  const groups = scratch.take(users.length).fill(0);
  let found = 1;
  for (const { places, span } of dimensions) {
    const isFew = found * span <= MOST_CELLS;
    const many = new Map<number, number>();
    for (let i = 0; i < users.length; i++) {
      if ((i & TICKS) === 0) work.tick();
      const cell = (groups[i] ?? 0) * span + (places[users[i] ?? 0] ?? 0);
      if (!isFew && !many.has(cell)) many.set(cell, many.size);
      groups[i] = isFew ? cell : (many.get(cell) ?? 0);
    }
    found = isFew ? found * span : many.size;
  }
  const counts = new Uint32Array(found);
  const examples = new Uint32Array(found);
  for (let i = 0; i < users.length; i++) {
    const group = groups[i] ?? 0;
    counts[group] = (counts[group] ?? 0) + 1;
    examples[group] = users[i] ?? 0;
  }
  return Array.from(counts, (count, group): [number, number] => [examples[group] ?? 0, count]).filter(([, n]) => n > 0);
}

/** How many users have each combination of values. The largest first, then in the order of the values. */
export function countBy({ changes }: View, { items, rows }: Match, by: readonly string[], work: Work): Count[] {
  const { base } = changes;
  const columns = by.map((field): Dimension => {
    const column = base.column(field);
    return { places: column.places, span: column.size + 1, valueAt: (place) => column.valueAt(place) };
  });
  const others = by.map((field): Dimension => {
    const { places, values } = changes.column(field);
    return { places: new Uint32Array(places), span: values.length, valueAt: (place) => values[place] };
  });
  const found = new Map<string, { key: string; row: Row; values: (Value | undefined)[]; count: number }>();
  const add = (dimensions: readonly Dimension[], users: Uint32Array) => {
    for (const [user, count] of tally(dimensions, users, work)) {
      const values = dimensions.map(({ places, valueAt }) => valueAt(places[user] ?? 0));
      const key = JSON.stringify(values);
      const row = { id: 0, ...Object.fromEntries(by.map((field, i) => [field, values[i]])) };
      found.set(key, { key, row, values, count: count + (found.get(key)?.count ?? 0) });
    }
  };
  add(columns, items.subarray(0, rows));
  add(
    others,
    items.subarray(rows).map((item) => item - base.size),
  );
  const compare = compareRows(
    base.kinds,
    by.map((property) => ({ property, descending: false })),
  );
  return [...found.values()]
    .sort((a, b) => b.count - a.count || compare(a.row, b.row) || compareCodePoints(a.key, b.key))
    .map(({ values, count }) => ({ values, count }));
}
