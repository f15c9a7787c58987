import { arena } from './arena.ts';
import { overChunks } from './chunks.ts';
import type { Order, Work } from './definition.ts';
import { type Bin, type Ranks, rankedSlice, shiftOf } from './rankedSlice.ts';
import { type SortKey, sortKeyOf } from './sortKey.ts';
import { firstNot } from './texts.ts';
import type { Match, Sizes, View } from './where.ts';

/** Items are users: rows of the base, and behind them slots. */
interface Sorting {
  readonly size: number;
  readonly sortKeys: readonly SortKey[];
  readonly sizes: Sizes;
  readonly work: Work;
}

/** Few items, sorted by the sort keys from a step on. */
function sorted({ sortKeys, size }: Sorting, step: number, items: Uint32Array): Uint32Array {
  const own = sortKeys.slice(step).map((sortKey) => ({ sortKey, keys: sortKey.keysFor(0) }));
  const positionOf = ({ sortKey, keys }: { sortKey: SortKey; keys: Uint32Array | undefined }, item: number): number => {
    if (item >= size) return sortKey.position(item - size);
    return 2 * (keys ? (keys[item] ?? 0) : sortKey.keyOf(item)) + 1;
  };
  const compare = (a: number, b: number): number => {
    for (const each of own) {
      const { sortKey } = each;
      const position = positionOf(each, a);
      let difference = position - positionOf(each, b);
      if (difference === 0 && position % 2 === 0) difference = sortKey.compare(a - size, b - size);
      if (difference !== 0) return sortKey.descending ? -difference : difference;
    }
    return 0;
  };
  // An array is sorted fast if it nearly is: new users come in the order of their ids, all behind those of the base.
  return Uint32Array.from(Array.from(items).sort(compare));
}

/** Divides a bin into smaller ones. Only those with ranks that are asked for are made. */
function divided(
  { size, sizes, work }: Sorting,
  sortKey: SortKey,
  { items, lowest, end }: Bin,
  [from, to]: Ranks,
): Bin[] {
  const shift = shiftOf(end - lowest, sizes.bins);
  const bins = arena.take(items.length);
  const counts = new Uint32Array(((end - 1 - lowest) >> shift) + 1);
  const rows = firstNot(items.length, (i) => (items[i] ?? 0) < size);
  const keys = sortKey.keysFor(rows);
  // A function that all loops call takes as long as the loops do.
  const ofMany = (from: number, to: number, keys: Uint32Array) => {
    for (let i = from; i < to; i++) {
      const bin = (2 * (keys[items[i] ?? 0] ?? 0) + 1 - lowest) >> shift;
      bins[i] = bin;
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  };
  const ofFew = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const bin = (2 * sortKey.keyOf(items[i] ?? 0) + 1 - lowest) >> shift;
      bins[i] = bin;
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  };
  overChunks(rows, work, (from, to) => (keys ? ofMany(from, to, keys) : ofFew(from, to)));
  overChunks(items.length - rows, work, (from, to) => {
    for (let i = rows + from; i < rows + to; i++) {
      const bin = (sortKey.position((items[i] ?? 0) - size) - lowest) >> shift;
      bins[i] = bin;
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  });
  const next = new Int32Array(counts.length).fill(-1);
  const smaller: { start: number; count: number; rank: number; bin: number }[] = [];
  let before = 0;
  let taken = 0;
  for (const [bin, count] of counts.entries()) {
    const rank = sortKey.descending ? items.length - before - count : before;
    before += count;
    if (count === 0 || rank >= to || rank + count <= from) continue;
    smaller.push({ start: taken, count, rank, bin });
    next[bin] = taken;
    taken += count;
  }
  const kept = arena.take(taken);
  overChunks(items.length, work, (from, to) => {
    for (let i = from; i < to; i++) {
      const bin = bins[i] ?? 0;
      const at = next[bin] ?? -1;
      if (at < 0) continue;
      kept[at] = items[i] ?? 0;
      next[bin] = at + 1;
    }
  });
  return smaller.map(({ start, count, rank, bin }) => {
    const first = lowest + bin * 2 ** shift;
    return { items: kept.subarray(start, start + count), rank, lowest: first, end: first + 2 ** shift };
  });
}

/**
 * Fills `out` with the items of a bin from one of them on: divides it, and goes on with each smaller one that has
 * some of these; from a single odd position on the next sort key. Few items, or those between two positions of the base, are
 * sorted.
 */
function arrange(sorting: Sorting, step: number, bin: Bin, from: number, out: Uint32Array): void {
  const { sortKeys, sizes } = sorting;
  const { items, lowest, end } = bin;
  const sortKey = sortKeys[step];
  const isOne = end - lowest === 1;
  const to = from + out.length;
  if (sortKey === undefined || items.length <= sizes.few || (isOne && lowest % 2 === 0)) {
    out.set(sorted(sorting, step, items).subarray(from, to));
  } else if (isOne) {
    arrange(sorting, step + 1, { ...bin, lowest: 0, end: sortKeys[step + 1]?.end ?? 1 }, from, out);
  } else {
    for (const each of divided(sorting, sortKey, bin, [from, to])) {
      const first = Math.max(from, each.rank);
      const own = out.subarray(first - from, each.rank + each.items.length - from);
      arrange(sorting, step, each, first - each.rank, own);
    }
  }
}

/** The items from one rank to another of an order: of the users who match, or of all if `match` is their number. */
export function topK(
  view: View,
  match: Match | number,
  order: Order,
  from: number,
  to: number,
  work: Work,
): Uint32Array {
  const { overlay, sizes } = view;
  const total = typeof match === 'number' ? match : match.items.length;
  const first = Math.min(from, total);
  const out = new Uint32Array(Math.max(0, Math.min(to, total) - first));
  const sortKeys = order.map((step) => sortKeyOf(overlay, step, work));
  const [sortKey] = sortKeys;
  if (sortKey === undefined || out.length === 0) return out;
  const bin: Bin =
    typeof match === 'number'
      ? rankedSlice(view, sortKey, total, [first, first + out.length], work)
      : { items: match.items, rank: 0, lowest: 0, end: sortKey.end };
  arrange({ size: overlay.base.size, sortKeys, sizes, work }, 0, bin, first - bin.rank, out);
  return out;
}
