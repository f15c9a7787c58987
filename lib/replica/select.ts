import type { Base } from './base.ts';
import type { Changed } from './changed.ts';
import type { OrderStep, Work } from './definition.ts';
import { inParts } from './match.ts';

/** So many users are simply sorted; so many bins divide more: a power of two. Tests make both small. */
export interface Sizes {
  readonly few: number;
  readonly bins: number;
}

/**
 * One step of an order. Each user has a position on it: users are sorted by it, and those with the same odd position are equal.
 * Even positions are only of changed users: between two of the base. Several may have one; then they are compared.
 */
interface Axis {
  readonly descending: boolean;
  /** All positions are below it. */
  readonly end: number;
  /** By row of the base: 2 · key + 1 is the position. */
  readonly keys: Uint32Array;
  /** By slot. */
  position(slot: number): number;
  compare(slotA: number, slotB: number): number;
}

/** Users are items: rows of the base, and behind them slots of the changed users. */
interface Sorting {
  readonly size: number;
  readonly axes: readonly Axis[];
  /** By axis and slot. */
  readonly positions: readonly Int32Array[];
  readonly sizes: Sizes;
  readonly work: Work | undefined;
}

function axisOfIds({ base, ids, rows }: Changed, per: number, descending: boolean): Axis {
  const multiple = (id: number | undefined) => Math.floor((id ?? -1) / per);
  const keys = base.keysPer(per);
  const position = (slot: number): number => {
    const row = rows[slot] ?? 0;
    const own = multiple(ids[slot]);
    for (const beside of [row, row - 1]) if (multiple(base.ids[beside]) === own) return 2 * (keys[beside] ?? 0) + 1;
    return 2 * row;
  };
  return { descending, end: 2 * base.size + 1, keys, position, compare: (a, b) => multiple(ids[a]) - multiple(ids[b]) };
}

function axisOf(changed: Changed, { property, per = 1, descending }: OrderStep): Axis {
  if (property === 'id') return axisOfIds(changed, per, descending);
  const column = changed.base.column(property);
  const own = changed.column(property);
  const placeOf = (slot: number) => own.places[slot] ?? 0;
  return {
    descending,
    end: 2 * column.size + 2,
    keys: column.keys,
    position: (slot) => own.position(column, placeOf(slot)),
    compare: (a, b) => own.compare(placeOf(a), placeOf(b)),
  };
}

const positionsAt = ({ size, axes, positions }: Sorting, step: number, items: Uint32Array): Int32Array => {
  const keys = axes[step]?.keys ?? items;
  const others = positions[step] ?? new Int32Array(0);
  return Int32Array.from(items, (item) => (item < size ? 2 * (keys[item] ?? 0) + 1 : (others[item - size] ?? 0)));
};

/** Few items, sorted by the axes from one on. */
function sorted(sorting: Sorting, step: number, items: Uint32Array): Uint32Array {
  const axes = sorting.axes.slice(step);
  const positions = axes.map((_, i) => positionsAt(sorting, step + i, items));
  const slotOf = (index: number) => (items[index] ?? 0) - sorting.size;
  const compare = (a: number, b: number): number => {
    for (const [i, axis] of axes.entries()) {
      const position = positions[i]?.[a] ?? 0;
      let difference = position - (positions[i]?.[b] ?? 0);
      if (difference === 0 && position % 2 === 0) difference = axis.compare(slotOf(a), slotOf(b));
      if (difference !== 0) return axis.descending ? -difference : difference;
    }
    return 0;
  };
  return Uint32Array.from(items.keys())
    .sort(compare)
    .map((index) => items[index] ?? 0);
}

/** Items by bin: of which bin is the item at a position. */
interface Bins {
  readonly lowest: number;
  readonly shift: number;
}

function countItems(
  counts: Uint32Array,
  items: Uint32Array,
  size: number,
  keys: Uint32Array,
  others: Int32Array,
  { lowest, shift }: Bins,
): void {
  for (let i = 0; i < items.length; i++) {
    const item = items[i] ?? 0;
    const position = item < size ? 2 * (keys[item] ?? 0) + 1 : (others[item - size] ?? 0);
    const bin = (position - lowest) >> shift;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
}

/** Puts items where their bin goes on; leaves out those of bins that go nowhere. */
function spreadItems(
  out: Uint32Array,
  next: Int32Array,
  items: Uint32Array,
  size: number,
  keys: Uint32Array,
  others: Int32Array,
  { lowest, shift }: Bins,
): void {
  for (let i = 0; i < items.length; i++) {
    const item = items[i] ?? 0;
    const position = item < size ? 2 * (keys[item] ?? 0) + 1 : (others[item - size] ?? 0);
    const bin = (position - lowest) >> shift;
    const at = next[bin] ?? -1;
    if (at < 0) continue;
    out[at] = item;
    next[bin] = at + 1;
  }
}

/**
 * The items at some ranks of the order, in `out`: divides them into bins of positions, and goes on with each bin that has such
 * ranks. A bin of one position goes on with the next axis.
 */
function arrange(
  sorting: Sorting,
  step: number,
  [lowest, end]: readonly [number, number],
  items: Uint32Array,
  from: number,
  out: Uint32Array,
): void {
  const { axes, sizes, positions, size, work } = sorting;
  const axis = axes[step];
  const to = from + out.length;
  if (axis === undefined || items.length <= sizes.few) {
    work?.tick();
    out.set(sorted(sorting, step, items).subarray(from, to));
    return;
  }
  const shift = Math.max(0, Math.ceil(Math.log2((end - lowest) / sizes.bins)));
  const counts = new Uint32Array(((end - 1 - lowest) >> shift) + 1);
  const others = positions[step] ?? new Int32Array(0);
  inParts(0, items.length, work, (a, b) => {
    countItems(counts, items.subarray(a, b), size, axis.keys, others, { lowest, shift });
  });
  const { next, begins, kept } = plan(counts, items.length, axis.descending, from, to);
  const spread = new Uint32Array(kept);
  const starts = next.slice();
  inParts(0, items.length, work, (a, b) => {
    spreadItems(spread, next, items.subarray(a, b), size, axis.keys, others, { lowest, shift });
  });
  for (let bin = 0; bin < counts.length; bin++) {
    const start = starts[bin] ?? -1;
    if (start < 0) continue;
    const part = spread.subarray(start, next[bin]);
    const begin = begins[bin] ?? 0;
    const first = Math.max(from, begin);
    const own = out.subarray(first - from, Math.min(to, begin + part.length) - from);
    const position = lowest + bin * 2 ** shift;
    if (shift > 0) arrange(sorting, step, [position, Math.min(end, position + 2 ** shift)], part, first - begin, own);
    else if (position % 2 === 1) arrange(sorting, step + 1, [0, axes[step + 1]?.end ?? 1], part, first - begin, own);
    else own.set(sorted(sorting, step, part).subarray(first - begin, first - begin + own.length));
  }
}

/** By bin: where its items go, or -1 if none of them is at the ranks, and the rank of its first. */
function plan(counts: Uint32Array, items: number, descending: boolean, from: number, to: number) {
  const next = new Int32Array(counts.length).fill(-1);
  const begins = new Uint32Array(counts.length);
  let before = 0;
  let kept = 0;
  for (let bin = 0; bin < counts.length; bin++) {
    const count = counts[bin] ?? 0;
    const begin = descending ? items - before - count : before;
    before += count;
    if (begin >= to || begin + count <= from || count === 0) continue;
    begins[bin] = begin;
    next[bin] = kept;
    kept += count;
  }
  return { next, begins, kept };
}

/** The items from one rank to another of an order. */
export function select(
  changed: Changed,
  { rows, slots }: { rows: Uint32Array; slots: readonly number[] },
  order: readonly OrderStep[],
  [from, to]: readonly [number, number],
  sizes: Sizes,
  work?: Work,
): Uint32Array {
  const { size }: Base = changed.base;
  const items = new Uint32Array(rows.length + slots.length);
  items.set(rows);
  items.set(
    Uint32Array.from(slots, (slot) => size + slot),
    rows.length,
  );
  const axes = order.map((step) => axisOf(changed, step));
  const positions = axes.map((axis) => {
    const all = new Int32Array(changed.length);
    for (const slot of slots) all[slot] = axis.position(slot);
    return all;
  });
  const first = Math.min(from, items.length);
  const out = new Uint32Array(Math.max(0, Math.min(to, items.length) - first));
  const sorting = { size, axes, positions, sizes, work };
  if (out.length > 0) arrange(sorting, 0, [0, axes[0]?.end ?? 1], items, first, out);
  return out;
}
