/** The part of an order of all users that has some ranks: found by counts that are kept, without looking at the others. */
import type { Axis } from './axis.ts';
import type { Work } from './definition.ts';
import { unchanged, type View } from './match.ts';
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

/** How many users each bin has: those of the base, without who has changed, and the changed ones as they are now. */
function countsNow({ changes, slots }: View, { keys, end, before, bin: binOf }: Axis, shift: number): Int32Array {
  const counts = new Int32Array((end >> shift) + 1);
  for (let bin = 0, lower = 0; bin < counts.length; bin++) {
    const upper = before(((bin + 1) << shift) >> 1);
    counts[bin] = upper - lower;
    lower = upper;
  }
  for (let slot = 0; slot < slots; slot++) {
    if (!changes.isLast(slot, slots)) continue;
    const own = changes.positions[slot] ?? 0;
    const former = (2 * (keys[own >> 1] ?? 0) + 1) >> shift;
    if (own % 2 === 1) counts[former] = (counts[former] ?? 0) - 1;
    if (changes.users[slot] === undefined) continue;
    const bin = binOf(slot, shift);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** Of all users, those in the bins that have some ranks. Only what has changed is counted. */
export function around(view: View, axis: Axis, total: number, [from, to]: Ranks, work: Work): Bin {
  const { changes, sizes, slots } = view;
  const { descending } = axis;
  const shift = shiftOf(axis.end, sizes.bins);
  const counts = countsNow(view, axis, shift);
  const [first, last] = descending ? [total - to, total - from] : [from, to];
  let [bin, before] = [0, 0];
  while (before + (counts[bin] ?? 0) <= first) before += counts[bin++] ?? 0;
  const [firstBin, lowest] = [bin, bin << shift];
  let upTo = before;
  while (upTo < last) upTo += counts[bin++] ?? 0;
  const end = bin << shift;
  const rows = axis.rows.subarray(axis.before(lowest >> 1), axis.before(end >> 1));
  const items = scratch.take(rows.length + slots);
  let count = unchanged(view, rows, items, work);
  for (let slot = 0; slot < slots; slot++) {
    if (changes.users[slot] === undefined || !changes.isLast(slot, slots)) continue;
    const own = axis.bin(slot, shift);
    if (own >= firstBin && own < bin) items[count++] = changes.base.size + slot;
  }
  return { items: items.subarray(0, count), rank: descending ? total - upTo : before, lowest, end };
}
