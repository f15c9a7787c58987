import type { View } from '../changed/overlay.ts';
import { sortedBy } from '../stored/column.ts';
import type { Mixed } from '../values/mixed.ts';
import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks, ticked } from '../work/chunks.ts';
import { Combinations, type Groups } from './combinations.ts';
import { type By, groupKeyOf } from './groupKeys.ts';
import type { Match } from './match.ts';
import type { GroupKey } from './parts.ts';

export interface Count {
  readonly values: (Mixed | undefined)[];
  readonly count: number;
}

/** By combination of values: how many items have it, perhaps none, and which is one of them. */
type Counted = Record<'counts' | 'examples', Uint32Array>;

/** A group key, and the numbers of items on it. */
type Numbered = ReturnType<typeof numbered>;

/** Some numbers, by where they are. */
function taken(numbers: Uint32Array, indexes: Uint32Array, work: Work, out = arena.take(indexes.length)): Uint32Array {
  overChunks(indexes.length, work, (from, to) => {
    for (let i = from; i < to; i++) out[i] = numbers[indexes[i] ?? 0] ?? 0;
  });
  return out;
}

function numbered(groupKey: GroupKey, { items, rows }: Match, size: number, work: Work) {
  const own = arena.take(items.length);
  taken(groupKey.numbers, items.subarray(0, rows), work, own);
  overChunks(items.length - rows, work, (from, to) => {
    for (let i = rows + from; i < rows + to; i++) own[i] = groupKey.numberOf((items[i] ?? 0) - size);
  });
  return { ...groupKey, own };
}

/** An array has all combinations that there can be. */
function groupsInCells(groupKeys: readonly Numbered[], count: number, cells: number, work: Work): Counted {
  const cellOf = arena.take(count).fill(0);
  for (const { own, end } of groupKeys) {
    const span = end();
    overChunks(count, work, (from, to) => {
      for (let i = from; i < to; i++) cellOf[i] = (cellOf[i] ?? 0) * span + (own[i] ?? 0);
    });
  }
  const counts = arena.take(cells).fill(0);
  const examples = arena.take(cells);
  overChunks(count, work, (from, to) => {
    for (let i = from; i < to; i++) {
      const cell = cellOf[i] ?? 0;
      counts[cell] = (counts[cell] ?? 0) + 1;
      examples[cell] = i;
    }
  });
  return { counts, examples };
}

/** Items are sorted by the last group key, then by the one before: then those of a combination follow each other. */
function groupsInOrder(groupKeys: readonly Numbered[], count: number, work: Work): Counted {
  let order: Uint32Array | undefined;
  for (const { own, end } of groupKeys.toReversed()) {
    const { rows } = ticked(sortedBy(order ? taken(own, order, work) : own, end()), work);
    order = order ? taken(order, rows, work) : rows;
  }
  const counts = arena.take(count).fill(0);
  const examples = arena.take(count);
  let found = 0;
  overChunks(order?.length ?? 0, work, (from, to) => {
    for (const i of order?.subarray(from, to) ?? []) {
      const last = examples[found - 1] ?? 0;
      if (found === 0 || groupKeys.some(({ own }) => own[i] !== own[last])) examples[found++] = i;
      counts[found - 1] = (counts[found - 1] ?? 0) + 1;
    }
  });
  return { counts, examples };
}

/** The first ones of some groups in an order. The others are not sorted: most are behind those by one comparison. */
function firstOf({ counts }: Groups, most: number, compare: (a: number, b: number) => number, work: Work): number[] {
  let kept: number[] = [];
  let last: number | undefined;
  overChunks(counts.length, work, (from, to) => {
    for (let group = from; group < to; group++) {
      if (counts[group] === 0 || (last !== undefined && compare(last, group) < 0)) continue;
      if (kept.push(group) < 2 * most) continue;
      work.tick();
      kept = kept.sort(compare).slice(0, most);
      last = kept.at(-1);
    }
  });
  return kept.sort(compare).slice(0, most);
}

/** The items in groups of equal values, those that nobody has perhaps included. */
function groupsOf(groupKeys: readonly Numbered[], count: number, mostCells: number, work: Work): Groups {
  const cells = groupKeys.reduce((product, { end }) => product * end(), 1);
  const counted =
    cells <= mostCells ? groupsInCells(groupKeys, count, cells, work) : groupsInOrder(groupKeys, count, work);
  const { counts, examples } = counted;
  return { counts, numberIn: (group, key) => groupKeys[key]?.own[examples[group] ?? 0] ?? 0 };
}

/** How many of the first counts may be told. */
export type Fitting = (counts: readonly Count[]) => number;

/** Of what users are counted by, how many counts are made at most, and how many of these may be told. */
interface Wanted {
  readonly by: readonly By[];
  readonly most: number;
  readonly fitting: Fitting;
}

/** How many users have each combination of values, for the largest combinations, and how many users have others. */
export function countBy(
  { overlay, sizes }: View,
  match: Match,
  { by, most, fitting }: Wanted,
  work: Work,
): { counts: Count[]; others: number } {
  const groupKeys = by.map((each) => numbered(groupKeyOf(overlay, each, work), match, overlay.base.size, work));
  const whole = groupsOf(groupKeys, match.items.length, sizes.cells, work);
  const combinations = groupKeys.some(({ parts }) => parts)
    ? new Combinations(whole, groupKeys, sizes.cells, work)
    : undefined;
  const groups = combinations ?? whole;
  const values = groupKeys.map((groupKey) => groupKey.parts ?? groupKey);
  const compare = (a: number, b: number): number => {
    let difference = (groups.counts[b] ?? 0) - (groups.counts[a] ?? 0);
    for (let i = 0; i < values.length && difference === 0; i++)
      difference = values[i]?.compare(groups.numberIn(a, i), groups.numberIn(b, i)) ?? 0;
    return difference;
  };
  const first = firstOf(groups, most, compare, work);
  const all = first.map((group) => ({
    values: values.map((each, i) => each.valueAt(groups.numberIn(group, i))),
    count: groups.counts[group] ?? 0,
  }));
  const counts = all.slice(0, fitting(all));
  if (!combinations) return { counts, others: counts.reduce((left, { count }) => left - count, match.items.length) };
  const isAll = counts.length === all.length && all.length < most;
  return { counts, others: isAll ? 0 : combinations.othersThan(first.slice(0, counts.length)) };
}
