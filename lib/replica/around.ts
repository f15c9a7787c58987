/** The part of an order of all users that has some ranks: found by counts that are kept, without looking at the others. */
import type { Axis } from './axis.ts';
import type { Work } from './definition.ts';
import { type Match, TICKS, unchanged, type View } from './match.ts';

/** So many positions make at most so many bins of 2 to this power. */
export const shiftOf = (positions: number, bins: number): number => Math.max(0, Math.ceil(Math.log2(positions / bins)));

/** From one rank to another, not included. */
export type Ranks = readonly [from: number, to: number];

/** Items with the positions of a span, and the rank of the first of them. */
export interface Bin {
  readonly items: Uint32Array;
  readonly rank: number;
  readonly lowest: number;
  /** Not included. */
  readonly end: number;
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

/** Users who match, as items. */
export function itemsOf({ rows, slots }: Match, size: number): Uint32Array {
  const items = new Uint32Array(rows.length + slots.length);
  items.set(rows);
  for (const [i, slot] of slots.entries()) items[rows.length + i] = size + slot;
  return items;
}

/** Of all users, those in the bins that have some ranks. Only what has changed is counted. */
export function around(view: View, axis: Axis, total: number, [from, to]: Ranks, work: Work): Bin {
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
  const items = itemsOf({ rows: unchanged(view, found, found, work), slots: others }, changes.base.size);
  return { items, rank: descending ? total - upTo : before, lowest, end };
}
