import { around, type Bin, type Ranks, shiftOf } from './around.ts';
import { type Axis, axisOf } from './axis.ts';
import type { Order, Work } from './definition.ts';
import { type Match, type Sizes, TICKS, type View } from './match.ts';
import { scratch } from './scratch.ts';

/** Items are users: rows of the base, and behind them slots. */
interface Sorting {
  readonly size: number;
  readonly axes: readonly Axis[];
  readonly sizes: Sizes;
  readonly work: Work;
}

function positionsOf({ size, work }: Sorting, { keys, position }: Axis, items: Uint32Array): Int32Array {
  const positions = new Int32Array(items.length);
  for (let i = 0; i < items.length; i++) {
    if ((i & TICKS) === 0) work.tick();
    const item = items[i] ?? 0;
    positions[i] = item < size ? 2 * (keys[item] ?? 0) + 1 : position(item - size);
  }
  return positions;
}

/** Few items, sorted by the axes from a step on. */
function sorted(sorting: Sorting, step: number, items: Uint32Array): Uint32Array {
  const axes = sorting.axes.slice(step).map((axis) => ({ ...axis, positions: positionsOf(sorting, axis, items) }));
  const slotOf = (index: number) => (items[index] ?? 0) - sorting.size;
  const compare = (a: number, b: number): number => {
    for (const { positions, descending, compare } of axes) {
      const position = positions[a] ?? 0;
      let difference = position - (positions[b] ?? 0);
      if (difference === 0 && position % 2 === 0) difference = compare(slotOf(a), slotOf(b));
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  };
  // An array is sorted fast if it nearly is: new users come in the order of their ids, all behind those of the base.
  return Uint32Array.from([...items.keys()].sort(compare), (index) => items[index] ?? 0);
}

/** Divides a bin into smaller ones. Only those with ranks that are asked for are made. */
function divided({ size, sizes, work }: Sorting, axis: Axis, { items, lowest, end }: Bin, [from, to]: Ranks): Bin[] {
  const shift = shiftOf(end - lowest, sizes.bins);
  const { keys, position } = axis;
  const bins = scratch.take(items.length);
  const counts = new Uint32Array(((end - 1 - lowest) >> shift) + 1);
  for (let i = 0; i < items.length; i++) {
    if ((i & TICKS) === 0) work.tick();
    const item = items[i] ?? 0;
    const bin = ((item < size ? 2 * (keys[item] ?? 0) + 1 : position(item - size)) - lowest) >> shift;
    bins[i] = bin;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const next = new Int32Array(counts.length).fill(-1);
  const parts: { start: number; count: number; rank: number; bin: number }[] = [];
  let before = 0;
  let taken = 0;
  for (const [bin, count] of counts.entries()) {
    const rank = axis.descending ? items.length - before - count : before;
    before += count;
    if (count === 0 || rank >= to || rank + count <= from) continue;
    parts.push({ start: taken, count, rank, bin });
    next[bin] = taken;
    taken += count;
  }
  const kept = scratch.take(taken);
  for (let i = 0; i < items.length; i++) {
    const bin = bins[i] ?? 0;
    const at = next[bin] ?? -1;
    if (at < 0) continue;
    kept[at] = items[i] ?? 0;
    next[bin] = at + 1;
  }
  return parts.map(({ start, count, rank, bin }) => {
    const first = lowest + bin * 2 ** shift;
    return { items: kept.subarray(start, start + count), rank, lowest: first, end: first + 2 ** shift };
  });
}

/**
 * Fills `out` with the items of a bin from one of them on: divides it, and goes on with each smaller one that has
 * some of these; from a single odd position on the next axis. What is few, or between two positions of the base, is
 * sorted.
 */
function arrange(sorting: Sorting, step: number, bin: Bin, from: number, out: Uint32Array): void {
  const { axes, sizes } = sorting;
  const { items, lowest, end } = bin;
  const axis = axes[step];
  const isOne = end - lowest === 1;
  const to = from + out.length;
  if (axis === undefined || items.length <= sizes.few || (isOne && lowest % 2 === 0)) {
    out.set(sorted(sorting, step, items).subarray(from, to));
  } else if (isOne) {
    arrange(sorting, step + 1, { ...bin, lowest: 0, end: axes[step + 1]?.end ?? 1 }, from, out);
  } else {
    for (const part of divided(sorting, axis, bin, [from, to])) {
      const first = Math.max(from, part.rank);
      const own = out.subarray(first - from, part.rank + part.items.length - from);
      arrange(sorting, step, part, first - part.rank, own);
    }
  }
}

/** The items from one rank to another of an order: of the users who match, or of all if `match` is their number. */
export function select(
  view: View,
  match: Match | number,
  order: Order,
  from: number,
  to: number,
  work: Work,
): Uint32Array {
  const { changes, sizes } = view;
  const { size } = changes.base;
  const total = typeof match === 'number' ? match : match.items.length;
  const first = Math.min(from, total);
  const out = new Uint32Array(Math.max(0, Math.min(to, total) - first));
  const axes = order.map((step) => axisOf(changes, step));
  const [axis] = axes;
  if (axis === undefined || out.length === 0) return out;
  const bin: Bin =
    typeof match === 'number'
      ? around(view, axis, total, [first, first + out.length], work)
      : { items: match.items, rank: 0, lowest: 0, end: axis.end };
  arrange({ size, axes, sizes, work }, 0, bin, first - bin.rank, out);
  return out;
}
