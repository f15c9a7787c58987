import { sortedBy } from './column.ts';
import type { Work } from './definition.ts';
import { type By, type Dimension, dimensionOf } from './dimensions.ts';
import { type Match, TICKS, type View } from './match.ts';
import type { Mixed } from './mixed.ts';
import { scratch } from './scratch.ts';
import { made } from './steps.ts';

/** Up to so many combinations for a bin are counted in an array: a million, in four megabytes. */
const CELLS_PER_BIN = 256;

export interface Count {
  readonly values: (Mixed | undefined)[];
  readonly count: number;
}

/** By combination that somebody has: how many have it, and which item is one of them. */
interface Groups {
  readonly counts: Uint32Array;
  readonly examples: Uint32Array;
}

/** The numbers of items on a dimension. */
interface Numbered extends Dimension {
  readonly own: Uint32Array;
}

function numbered(dimension: Dimension, items: Uint32Array, size: number, work: Work): Numbered {
  const own = scratch.take(items.length);
  for (let i = 0; i < items.length; i++) {
    if ((i & TICKS) === 0) work.tick();
    const item = items[i] ?? 0;
    own[i] = item < size ? (dimension.numbers[item] ?? 0) : dimension.numberOf(item - size);
  }
  return { ...dimension, own };
}

/** An array has all combinations that there can be. */
function groupsInCells(dimensions: readonly Numbered[], count: number, cells: number): Groups {
  const cellOf = scratch.take(count).fill(0);
  for (const { own, end } of dimensions) {
    const span = end();
    for (let i = 0; i < count; i++) cellOf[i] = (cellOf[i] ?? 0) * span + (own[i] ?? 0);
  }
  const counts = scratch.take(cells).fill(0);
  const examples = scratch.take(cells);
  for (let i = 0; i < count; i++) {
    const cell = cellOf[i] ?? 0;
    counts[cell] = (counts[cell] ?? 0) + 1;
    examples[cell] = i;
  }
  return { counts: counts.filter((n) => n > 0), examples: examples.filter((_, cell) => (counts[cell] ?? 0) > 0) };
}

/** Items are sorted by the last dimension, then by the one before: then those of a combination follow each other. */
function groupsInOrder(dimensions: readonly Numbered[], count: number, work: Work): Groups {
  let order = Uint32Array.from({ length: count }, (_, i) => i);
  for (const { own, end } of dimensions.toReversed()) {
    const before = order;
    const keys = before.map((i) => own[i] ?? 0);
    const { rows } = made(sortedBy(keys, end()), () => work.tick());
    order = rows.map((at) => before[at] ?? 0);
  }
  const counts = scratch.take(count);
  const examples = scratch.take(count);
  let found = 0;
  for (const i of order) {
    const last = examples[found - 1] ?? 0;
    if (found === 0 || dimensions.some(({ own }) => own[i] !== own[last])) {
      examples[found] = i;
      counts[found++] = 0;
    }
    counts[found - 1] = (counts[found - 1] ?? 0) + 1;
  }
  return { counts: counts.subarray(0, found), examples: examples.subarray(0, found) };
}

/** The first so many of some groups in an order. The others are not sorted: most are behind those by one comparison. */
function firstOf(groups: number, most: number, compare: (a: number, b: number) => number): number[] {
  let kept: number[] = [];
  let last: number | undefined;
  for (let group = 0; group < groups; group++) {
    if (last !== undefined && compare(last, group) < 0) continue;
    if (kept.push(group) < 2 * most) continue;
    kept = kept.sort(compare).slice(0, most);
    last = kept.at(-1);
  }
  return kept.sort(compare).slice(0, most);
}

/** How many users have each combination of values, for so many combinations, and how many users have others. */
export function countBy(
  { changes, sizes }: View,
  { items }: Match,
  by: readonly By[],
  most: number,
  work: Work,
): { counts: Count[]; others: number } {
  const dimensions = by.map((each) => numbered(dimensionOf(changes, each), items, changes.base.size, work));
  const cells = dimensions.reduce((product, { end }) => product * end(), 1);
  const { counts, examples } =
    cells <= CELLS_PER_BIN * sizes.bins
      ? groupsInCells(dimensions, items.length, cells)
      : groupsInOrder(dimensions, items.length, work);
  const numberIn = ({ own }: Numbered, group: number): number => own[examples[group] ?? 0] ?? 0;
  const compare = (a: number, b: number): number => {
    let difference = (counts[b] ?? 0) - (counts[a] ?? 0);
    for (let i = 0; i < dimensions.length && difference === 0; i++) {
      const dimension = dimensions[i];
      if (dimension) difference = dimension.compare(numberIn(dimension, a), numberIn(dimension, b));
    }
    return difference;
  };
  const found = firstOf(counts.length, most, compare).map((group) => ({
    values: dimensions.map((dimension) => dimension.valueAt(numberIn(dimension, group))),
    count: counts[group] ?? 0,
  }));
  return { counts: found, others: found.reduce((left, { count }) => left - count, items.length) };
}
