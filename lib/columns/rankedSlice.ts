/** The part of an order of all users that has some ranks: found by counts that are kept, without looking at the others. */

import { arena } from './arena.ts';
import { overChunks } from './chunks.ts';
import type { Work } from './definition.ts';
import type { SortKey } from './sortKey.ts';
import { unchanged, type View } from './where.ts';

/** The power of 2 by which a number of positions is divided, so that there are at most this many bins. */
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

/** An edge in an order: the numbers of rows of the base before it, of changed users, and of rows whose users have changed. */
interface Edge {
  readonly row: number;
  readonly slot: number;
  readonly gone: number;
}

type Edges = readonly [low: Edge, high: Edge];

const rankAt = ({ row, slot, gone }: Edge): number => row + slot - gone;

/** Moves the items that are before something to the front of others, from one to another, and says where the others begin. */
function split(items: Uint32Array, from: number, to: number, isBefore: (item: number) => boolean): number {
  let others = from;
  for (let i = from; i < to; i++) {
    const item = items[i] ?? 0;
    if (!isBefore(item)) continue;
    items[i] = items[others] ?? 0;
    items[others++] = item;
  }
  return others;
}

/** Where rows with one key end and those with the next begin, about half way between two edges; undefined if all have one. */
function middleOf(sortKey: SortKey, [low, high]: Edges): number | undefined {
  const key = sortKey.keyOf(sortKey.rows()[(low.row + high.row) >> 1] ?? 0);
  const row = sortKey.before(key) > low.row ? sortKey.before(key) : sortKey.before(key + 1);
  return row < high.row ? row : undefined;
}

/**
 * Edges around some ranks with few rows between them, or those of one key, unless an edge is amid the ranks. Only changed users between
 * the edges are compared: about two comparisons for each.
 *
 * @param slots the changed users who are there
 * @param gone the keys in the base of those who have changed
 */
function narrowed(
  sortKey: SortKey,
  slots: Uint32Array,
  gone: Uint32Array,
  few: number,
  edges: Edges,
  [from, to]: Ranks,
  work: Work,
): Edges {
  let [low, high] = edges;
  for (;;) {
    const row = high.row - low.row > few ? middleOf(sortKey, [low, high]) : undefined;
    if (row === undefined) return [low, high];
    work.tick();
    const key = sortKey.keyOf(sortKey.rows()[row] ?? 0);
    // Not even a text is unpacked for nobody.
    const mark = low.slot < high.slot ? sortKey.markAt(key) : undefined;
    const slot = split(slots, low.slot, high.slot, (slot) => (mark?.compare(slot) ?? 0) < 0);
    const edge = { row, slot, gone: split(gone, low.gone, high.gone, (own) => own < key) };
    if (to <= rankAt(edge)) high = edge;
    else if (from >= rankAt(edge)) low = edge;
    else return [low, high];
  }
}

/** Of all users, those around some ranks, in the closest bounds. */
export function rankedSlice(view: View, sortKey: SortKey, total: number, [from, to]: Ranks, work: Work): Bin {
  const { overlay, sizes } = view;
  const { descending } = sortKey;
  const rows = sortKey.rows();
  const { there, former } = overlay.lastOf(view.slots);
  const slots = arena.take(there.length);
  slots.set(there);
  const gone = arena.take(former.length);
  const keys = sortKey.keysFor(gone.length);
  overChunks(gone.length, work, (from, to) => {
    for (let i = from; i < to; i++) gone[i] = keys ? (keys[former[i] ?? 0] ?? 0) : sortKey.keyOf(former[i] ?? 0);
  });
  const narrow = (edges: Edges, ranks: Ranks) => narrowed(sortKey, slots, gone, sizes.few, edges, ranks, work);
  const [first, last] = descending ? [total - to, total - from] : [from, to];
  const all: Edges = [
    { row: 0, slot: 0, gone: 0 },
    { row: rows.length, slot: slots.length, gone: gone.length },
  ];
  const [start, end] = narrow(all, [first, last]);
  const [low] = narrow([start, end], [first, first + 1]);
  const [, high] = narrow([low, end], [last - 1, last]);
  const items = arena.take(high.row - low.row + high.slot - low.slot);
  let count = unchanged(view, rows.subarray(low.row, high.row), items, work);
  const keyAt = (row: number): number => sortKey.keyOf(rows[row] ?? 0);
  let [lowest, highest] = low.row < high.row ? [2 * keyAt(low.row) + 1, 2 * keyAt(high.row - 1) + 1] : [sortKey.end, 0];
  for (let i = low.slot; i < high.slot; i++) {
    const slot = slots[i] ?? 0;
    lowest = Math.min(lowest, sortKey.position(slot));
    highest = Math.max(highest, sortKey.position(slot));
    items[count++] = overlay.base.size + slot;
  }
  const rank = descending ? total - rankAt(high) : rankAt(low);
  return { items: items.subarray(0, count), rank, lowest, end: highest + 1 };
}
