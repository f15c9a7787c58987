/** The part of an order of all users that has some ranks: found by counts that are kept, without looking at the others. */
import type { Axis } from './axis.ts';
import type { Work } from './definition.ts';
import { TICKS, unchanged, type View } from './match.ts';
import { scratch } from './scratch.ts';

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

/** Writes the rows with positions of a span. So many there are. */
function rowsBetween(
  { keys, isAscending }: Axis,
  rows: Uint32Array,
  lowest: number,
  end: number,
  work: Work,
): Uint32Array {
  let found = 0;
  for (let row = isAscending ? lowest >> 1 : 0; found < rows.length; row++) {
    if ((row & TICKS) === 0) work.tick();
    const at = 2 * (keys[row] ?? 0) + 1;
    if (at >= lowest && at < end) rows[found++] = row;
  }
  return rows;
}

/** How many users each bin has: those of the base, without who has changed, and the changed ones as they are now. */
function countsNow({ changes, slots }: View, { keys, position }: Axis, shift: number, ofBase: Int32Array): Int32Array {
  const counts = ofBase.slice();
  for (let slot = 0; slot < slots; slot++) {
    if (!changes.isLast(slot, slots)) continue;
    const own = changes.positions[slot] ?? 0;
    const before = (2 * (keys[own >> 1] ?? 0) + 1) >> shift;
    if (own % 2 === 1) counts[before] = (counts[before] ?? 0) - 1;
    if (changes.users[slot] === undefined) continue;
    const bin = position(slot) >> shift;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** Of all users, those in the bins that have some ranks. Only what has changed is counted. */
export function around(view: View, axis: Axis, total: number, [from, to]: Ranks, work: Work): Bin {
  const { changes, sizes, slots } = view;
  const { descending, position } = axis;
  const shift = shiftOf(axis.end, sizes.bins);
  const ofBase = countsOf(axis, shift);
  const counts = countsNow(view, axis, shift, ofBase);
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
  const items = scratch.take(rows + slots);
  const found = rowsBetween(axis, items.subarray(0, rows), lowest, end, work);
  let count = unchanged(view, found, found, work);
  for (let slot = 0; slot < slots; slot++) {
    if (changes.users[slot] === undefined || !changes.isLast(slot, slots)) continue;
    const at = position(slot);
    if (at >= lowest && at < end) items[count++] = changes.base.size + slot;
  }
  return { items: items.subarray(0, count), rank: descending ? total - upTo : before, lowest, end };
}
