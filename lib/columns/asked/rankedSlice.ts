/** The part of an order of all users that has some ranks: found by counts that are kept, without looking at the others. */

import type { View } from '../changed/overlay.ts';
import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks } from '../work/chunks.ts';
import type { Bin, Ranks } from './bin.ts';
import type { SortKey } from './sortKey.ts';

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

/** The changed users who are there, and the keys in the base of those who have changed: `split` moves both. */
interface Changed {
  readonly slots: Uint32Array;
  readonly gone: Uint32Array;
}

/** How a slice is looked for. */
interface Search extends Changed {
  readonly sortKey: SortKey;
  readonly few: number;
  readonly work: Work;
}

/**
 * Edges around some ranks with few rows between them, or those of one key, unless an edge is amid the ranks. Only changed users between
 * the edges are compared: about two comparisons for each.
 */
function narrowed({ sortKey, slots, gone, few, work }: Search, edges: Edges, [from, to]: Ranks): Edges {
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

/** Copies, which are moved. */
function changedOf({ overlay, slots: count }: View, sortKey: SortKey, work: Work): Changed {
  const { there, former } = overlay.lastOf(count);
  const slots = arena.take(there.length);
  slots.set(there);
  const gone = arena.take(former.length);
  const keys = sortKey.keysFor(gone.length);
  overChunks(gone.length, work, (from, to) => {
    for (let i = from; i < to; i++) gone[i] = keys ? (keys[former[i] ?? 0] ?? 0) : sortKey.keyOf(former[i] ?? 0);
  });
  return { slots, gone };
}

/** The closest edges around some ranks of all users, in the order of the sort key's values. */
function edgesOf(search: Search, [first, last]: Ranks): Edges {
  const { sortKey, slots, gone } = search;
  const all: Edges = [
    { row: 0, slot: 0, gone: 0 },
    { row: sortKey.rows().length, slot: slots.length, gone: gone.length },
  ];
  const [start, end] = narrowed(search, all, [first, last]);
  const [low] = narrowed(search, [start, end], [first, first + 1]);
  const [, high] = narrowed(search, [low, end], [last - 1, last]);
  return [low, high];
}

/** All users, in the order of a sort key. */
interface Ordered {
  readonly view: View;
  readonly sortKey: SortKey;
  /** How many users there are. */
  readonly total: number;
  readonly work: Work;
}

/** Of all users, those around some ranks, in the closest bounds. */
export function rankedSlice({ view, sortKey, total, work }: Ordered, ranks: Ranks): Bin {
  const { overlay, slots: count, sizes } = view;
  const { descending } = sortKey;
  const rows = sortKey.rows();
  const changed = changedOf(view, sortKey, work);
  const [low, high] = edgesOf(
    { ...changed, sortKey, few: sizes.few, work },
    descending ? [total - ranks[1], total - ranks[0]] : ranks,
  );
  const items = arena.take(high.row - low.row + high.slot - low.slot);
  let found = overlay.unchanged(count, rows.subarray(low.row, high.row), items, work);
  const keyAt = (row: number): number => sortKey.keyOf(rows[row] ?? 0);
  let [lowest, highest] = low.row < high.row ? [2 * keyAt(low.row) + 1, 2 * keyAt(high.row - 1) + 1] : [sortKey.end, 0];
  for (let i = low.slot; i < high.slot; i++) {
    const slot = changed.slots[i] ?? 0;
    lowest = Math.min(lowest, sortKey.position(slot));
    highest = Math.max(highest, sortKey.position(slot));
    items[found++] = overlay.base.size + slot;
  }
  const rank = descending ? total - rankAt(high) : rankAt(low);
  return { items: items.subarray(0, found), rank, lowest, end: highest + 1 };
}
