import type { Changed } from './changed.ts';
import { compareRows, type Kinds, type Row, type Value, type Work } from './definition.ts';
import { inParts, type Match } from './match.ts';

/** Up to so many combinations of values are counted in an array. */
const MOST_CELLS = 1 << 20;

/** A field of some users: by user the place of its value, and how many places there are. */
interface Dimension {
  readonly places: ArrayLike<number>;
  readonly span: number;
}

export interface Count {
  readonly values: (Value | undefined)[];
  readonly count: number;
}

const placesOf = (dimensions: readonly Dimension[], user: number) => dimensions.map(({ places }) => places[user] ?? 0);

/** How many users have each combination of places: by one user of each. */
function tally(
  dimensions: readonly Dimension[],
  users: ArrayLike<number>,
  work?: Work,
): Iterable<readonly [number, number]> {
  const cells = dimensions.reduce((product, { span }) => product * span, 1);
  if (cells > MOST_CELLS) return tallyMany(dimensions, users, work);
  const counts = new Uint32Array(cells);
  const examples = new Uint32Array(cells);
  inParts(0, users.length, work, (from, to) => {
    for (let i = from; i < to; i++) {
      const user = users[i] ?? 0;
      let cell = 0;
      for (const { places, span } of dimensions) cell = cell * span + (places[user] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
      examples[cell] = user;
    }
  });
  return Array.from(counts.entries())
    .filter(([, count]) => count > 0)
    .map(([cell, count]) => [examples[cell] ?? 0, count]);
}

function tallyMany(
  dimensions: readonly Dimension[],
  users: ArrayLike<number>,
  work?: Work,
): Iterable<readonly [number, number]> {
  const counts = new Map<string, [number, number]>();
  inParts(0, users.length, work, (from, to) => {
    for (let i = from; i < to; i++) {
      const user = users[i] ?? 0;
      const key = placesOf(dimensions, user).join();
      const known = counts.get(key);
      if (known) known[1]++;
      else counts.set(key, [user, 1]);
    }
  });
  return counts.values();
}

/** The largest first; equal ones in the order of their values, with texts that sort equal by code point. */
function byCount(kinds: Kinds, by: readonly string[]) {
  const steps = by.map((property) => ({ property, descending: false }));
  const exactly = Object.fromEntries(
    by.map((field) => [field, kinds[field] === 'text' ? 'exact' : (kinds[field] ?? 'number')]),
  );
  const compare = compareRows(kinds, steps);
  const compareExactly = compareRows(exactly, steps);
  const rowOf = ({ values }: Count): Row => ({
    id: 0,
    ...Object.fromEntries(by.map((field, i) => [field, values[i]])),
  });
  return (a: Count, b: Count): number => {
    if (a.count !== b.count) return b.count - a.count;
    return compare(rowOf(a), rowOf(b)) || compareExactly(rowOf(a), rowOf(b));
  };
}

/** How many of the users have each combination of values of some fields. */
export function countBy(changed: Changed, { rows, slots }: Match, by: readonly string[], work?: Work): Count[] {
  const { base } = changed;
  const columns = by.map((field) => base.column(field));
  const others = by.map((field) => changed.column(field));
  const counts = new Map<string, { values: (Value | undefined)[]; count: number }>();
  const add = (values: (Value | undefined)[], count: number) => {
    const key = JSON.stringify(values);
    const known = counts.get(key);
    if (known) known.count += count;
    else counts.set(key, { values, count });
  };
  const dimensions = columns.map(({ places, size }) => ({ places, span: size + 1 }));
  for (const [row, count] of tally(dimensions, rows, work)) {
    add(
      columns.map((column) => column.valueAt(column.places[row] ?? column.size)),
      count,
    );
  }
  const otherDimensions = others.map(({ places, values }) => ({ places, span: values.length }));
  for (const [slot, count] of tally(otherDimensions, slots, work)) {
    add(
      others.map(({ places, values }) => values[places[slot] ?? 0]),
      count,
    );
  }
  return [...counts.values()].sort(byCount(base.kinds, by));
}
