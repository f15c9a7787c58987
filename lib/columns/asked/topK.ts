import type { Sizes } from '../changed/overlay.ts';
import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';
import type { Bin, Ranks } from './bin.ts';
import type { SortKey } from './sortKey.ts';

/** The power of 2 by which a number of positions is divided, so that there are at most this many bins. */
const shiftOf = (positions: number, bins: number): number => Math.max(0, Math.ceil(Math.log2(positions / bins)));

/** Items are users: rows of the base, and behind them slots. */
export interface Sorting {
  /** Of the base. */
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

/** Items of an order that are wanted: those of a bin from one of them on, as far as there is room for them. */
interface Wanted {
  readonly bin: Bin;
  readonly from: number;
  readonly out: Uint32Array;
}

/**
 * Fills `out` with the items that are wanted: divides their bin, and goes on with each smaller one that has some of these; from a single odd
 * position on with the next sort key. Few items, or those between two positions of the base, are sorted.
 */
function arrange(sorting: Sorting, step: number, { bin, from, out }: Wanted): void {
  const { sortKeys, sizes } = sorting;
  const { items, lowest, end } = bin;
  const sortKey = sortKeys[step];
  const isOne = end - lowest === 1;
  const to = from + out.length;
  if (sortKey === undefined || items.length <= sizes.few || (isOne && lowest % 2 === 0)) {
    out.set(sorted(sorting, step, items).subarray(from, to));
  } else if (isOne) {
    arrange(sorting, step + 1, { bin: { ...bin, lowest: 0, end: sortKeys[step + 1]?.end ?? 1 }, from, out });
  } else {
    for (const each of divided(sorting, sortKey, bin, [from, to])) {
      const first = Math.max(from, each.rank);
      const own = out.subarray(first - from, each.rank + each.items.length - from);
      arrange(sorting, step, { bin: each, from: first - each.rank, out: own });
    }
  }
}

/** The items of some ranks in an order, of a bin that has them. */
export function topK(sorting: Sorting, bin: Bin, [from, to]: Ranks): Uint32Array {
  const out = new Uint32Array(to - from);
  arrange(sorting, 0, { bin, from: from - bin.rank, out });
  return out;
}
