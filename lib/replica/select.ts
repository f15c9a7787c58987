import type { Changed } from './changed.ts';
import type { Order, OrderStep, Work } from './definition.ts';
import { type Match, type Sizes, TICKS, unchanged, type View } from './match.ts';

/**
 * One step of an order. Users are sorted by their positions on it. Those with the same odd position are equal. Even
 * positions are between two of the base: only changed users have them, and those with the same one are compared.
 */
export interface Axis {
  readonly descending: boolean;
  /** All positions are below it. */
  readonly end: number;
  /** By row: the position is 2 · key + 1. */
  readonly keys: Uint32Array;
  /** Whether each row's key is at most the next one's, and at most the row. */
  readonly isAscending: boolean;
  position(slot: number): number;
  compare(slotA: number, slotB: number): number;
}

function axisOfIds({ base, ids, positions }: Changed, per: number, descending: boolean): Axis {
  const multiple = (id: number | undefined) => Math.floor((id ?? Number.NaN) / per);
  const keys = base.keysPer(per);
  const position = (slot: number): number => {
    const own = positions[slot] ?? 0;
    if (per === 1) return own;
    const same = (row: number) => multiple(base.ids[row]) === multiple(ids[slot]);
    const row = same(own >> 1) ? own >> 1 : (own >> 1) - 1;
    return same(row) ? 2 * (keys[row] ?? 0) + 1 : own;
  };
  const compare = (a: number, b: number) => multiple(ids[a]) - multiple(ids[b]);
  return { descending, end: 2 * base.size + 1, keys, isAscending: true, position, compare };
}

function axisOf(changed: Changed, { property, per = 1, descending }: OrderStep): Axis {
  if (property === 'id') return axisOfIds(changed, per, descending);
  const column = changed.base.column(property);
  const own = changed.column(property);
  return {
    descending,
    end: 2 * column.size + 2,
    keys: column.keys,
    isAscending: false,
    position: (slot) => own.position(column, slot),
    compare: (a, b) => own.compare(a, b),
  };
}

/** So many positions make at most so many bins of 2 to this power. */
const shiftOf = (positions: number, bins: number): number => Math.max(0, Math.ceil(Math.log2(positions / bins)));

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

/** From one rank to another, not included. */
type Ranks = readonly [from: number, to: number];

/** Items with the positions of a span, and the rank of the first of them. */
interface Bin {
  readonly items: Uint32Array;
  readonly rank: number;
  readonly lowest: number;
  /** Not included. */
  readonly end: number;
}

/** Divides a bin into smaller ones. Only those with ranks that are asked for are made. */
function divided(sorting: Sorting, axis: Axis, { items, lowest, end }: Bin, [from, to]: Ranks): Bin[] {
  const shift = shiftOf(end - lowest, sorting.sizes.bins);
  const positions = positionsOf(sorting, axis, items);
  const counts = new Uint32Array(((end - 1 - lowest) >> shift) + 1);
  for (let i = 0; i < positions.length; i++) {
    const bin = ((positions[i] ?? 0) - lowest) >> shift;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const kept = new Uint32Array(items.length);
  const next = new Int32Array(counts.length).fill(-1);
  const bins: Bin[] = [];
  let before = 0;
  let size = 0;
  for (const [bin, count] of counts.entries()) {
    const rank = axis.descending ? items.length - before - count : before;
    before += count;
    if (count === 0 || rank >= to || rank + count <= from) continue;
    const first = lowest + bin * 2 ** shift;
    bins.push({ items: kept.subarray(size, size + count), rank, lowest: first, end: first + 2 ** shift });
    next[bin] = size;
    size += count;
  }
  for (let i = 0; i < positions.length; i++) {
    const bin = ((positions[i] ?? 0) - lowest) >> shift;
    const at = next[bin] ?? -1;
    if (at >= 0) kept[at] = items[i] ?? 0;
    if (at >= 0) next[bin] = at + 1;
  }
  return bins;
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

/** By keys of rows: how many rows each bin has. Counted once. */
const COUNTS = new WeakMap<Uint32Array, { shift: number; counts: Int32Array }>();

function countsOf({ keys, end }: Axis, shift: number): Int32Array {
  const known = COUNTS.get(keys);
  if (known?.shift === shift) return known.counts;
  const counts = new Int32Array((end >> shift) + 1);
  for (let row = 0; row < keys.length; row++) {
    const bin = (2 * (keys[row] ?? 0) + 1) >> shift;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  COUNTS.set(keys, { shift, counts });
  return counts;
}

/** So many rows there are with positions of a span. */
function rowsBetween({ keys, isAscending }: Axis, count: number, lowest: number, end: number, work: Work): Uint32Array {
  const rows = new Uint32Array(count);
  let found = 0;
  for (let row = isAscending ? lowest >> 1 : 0; found < count; row++) {
    if ((row & TICKS) === 0) work.tick();
    const at = 2 * (keys[row] ?? 0) + 1;
    if (at >= lowest && at < end) rows[found++] = row;
  }
  return rows;
}

/** Of all users, those in the bins that have some ranks. Only what has changed is counted. */
function around(view: View, axis: Axis, total: number, [from, to]: Ranks, work: Work): Bin {
  const { changes, sizes } = view;
  const { keys, descending, position } = axis;
  const shift = shiftOf(axis.end, sizes.bins);
  const ofBase = countsOf(axis, shift);
  const counts = ofBase.slice();
  const add = (at: number, n: number) => {
    counts[at >> shift] = (counts[at >> shift] ?? 0) + n;
  };
  const slots = changes.slots(view.slots);
  const live = slots.filter((slot) => changes.users[slot] !== undefined);
  for (const slot of live) add(position(slot), 1);
  for (const slot of slots) {
    const own = changes.positions[slot] ?? 0;
    if (own % 2 === 1) add(2 * (keys[own >> 1] ?? 0) + 1, -1);
  }
  const [first, last] = descending ? [total - to, total - from] : [from, to];
  let [bin, before] = [0, 0];
  while (before + (counts[bin] ?? 0) <= first) before += counts[bin++] ?? 0;
  const lowest = bin << shift;
  let [rows, upTo] = [0, before];
  for (; upTo < last; bin++) {
    upTo += counts[bin] ?? 0;
    rows += ofBase[bin] ?? 0;
  }
  const end = bin << shift;
  const found = rowsBetween(axis, rows, lowest, end, work);
  const others = live.filter((slot) => position(slot) >= lowest && position(slot) < end);
  const items = itemsOf({ rows: unchanged(view, found, work), slots: others }, changes.base.size);
  return { items, rank: descending ? total - upTo : before, lowest, end };
}

function itemsOf({ rows, slots }: Match, size: number): Uint32Array {
  const items = new Uint32Array(rows.length + slots.length);
  items.set(rows);
  for (const [i, slot] of slots.entries()) items[rows.length + i] = size + slot;
  return items;
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
  const total = typeof match === 'number' ? match : match.rows.length + match.slots.length;
  const first = Math.min(from, total);
  const out = new Uint32Array(Math.max(0, Math.min(to, total) - first));
  const axes = order.map((step) => axisOf(changes, step));
  const [axis] = axes;
  if (axis === undefined || out.length === 0) return out;
  const bin: Bin =
    typeof match === 'number'
      ? around(view, axis, total, [first, first + out.length], work)
      : { items: itemsOf(match, size), rank: 0, lowest: 0, end: axis.end };
  arrange({ size, axes, sizes, work }, 0, bin, first - bin.rank, out);
  return out;
}
