import { addModulo } from '../hash.ts';
import { compareCodePoints } from '../text.ts';

/** The numbers that a map has for one key, by bucket: a text that tells what is counted. */
export interface Row {
  readonly key: string;
  readonly counts: Map<string, number>;
}

/** A change of one number. */
export interface Delta {
  key: string;
  bucket: string;
  n: number;
}

export type Add = (counts: Map<string, number>, bucket: string, n: number) => void;

/** Adds to one number. */
export const addTo: Add = (counts, bucket, n) => {
  counts.set(bucket, addModulo(counts.get(bucket) ?? 0, n));
};

/**
 * What a map of ranges does differently. A row of it stands for all keys from its own up to the next row's, and stays even if
 * all of its numbers are zero, unless no other row has its start.
 */
export interface Ranges {
  /** The key of the first row for keys like this one. No row stands for keys with different starts. */
  startOf(key: string): string;
  add: Add;
  /** Bounds the numbers of a row. */
  settle(counts: Map<string, number>): void;
}

/** The place of the last key that is not above another, counted from 1; 0 for none. */
export function floorOf(length: number, keyAt: (place: number) => string | undefined, key: string): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareCodePoints(keyAt(middle) ?? '', key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Equal numbers are packed equally. Zeros are left out. */
export const sorted = (counts: ReadonlyMap<string, number>): Map<string, number> =>
  new Map([...counts].filter(([, n]) => n !== 0).sort(([a], [b]) => compareCodePoints(a, b)));

function addByKey(rows: readonly Row[], deltas: readonly Delta[]): Row[] {
  const before = new Map(rows.map((row) => [row.key, row]));
  const changed = new Map<string, Map<string, number>>();
  for (const { key, bucket, n } of deltas) {
    const counts = changed.get(key) ?? new Map(before.get(key)?.counts);
    changed.set(key, counts);
    addTo(counts, bucket, n);
  }
  const after = rows.flatMap((row) => {
    const counts = changed.get(row.key);
    const own = counts && sorted(counts);
    return own ? (own.size > 0 ? [{ key: row.key, counts: own }] : []) : [row];
  });
  const added = [...changed]
    .filter(([key]) => !before.has(key))
    .map(([key, counts]) => ({ key, counts: sorted(counts) }));
  if (added.length === 0) return after;
  return [...after, ...added.filter(({ counts }) => counts.size > 0)].sort((a, b) => compareCodePoints(a.key, b.key));
}

function addByRange(rows: readonly Row[], deltas: readonly Delta[], { startOf, add, settle }: Ranges): Row[] {
  const next = [...rows];
  const changed = new Set<Row>();
  // Whoever leaves was there: nothing is below zero if arrivals are added first.
  for (const { key, bucket, n } of deltas.toSorted((a, b) => Math.sign(b.n) - Math.sign(a.n))) {
    const start = startOf(key);
    let at = floorOf(next.length, (place) => next[place]?.key, key) - 1;
    if (at < 0 || compareCodePoints(next[at]?.key ?? '', start) < 0)
      next.splice(++at, 0, { key: start, counts: new Map() });
    const row = next[at] as Row;
    const own = changed.has(row) ? row : { key: row.key, counts: new Map(row.counts) };
    changed.add(own);
    next[at] = own;
    add(own.counts, bucket, n);
  }
  for (const { counts } of changed) settle(counts);
  return next.map((row) => (changed.has(row) ? { key: row.key, counts: sorted(row.counts) } : row));
}

/** The rows with the deltas added. */
export const addDeltas = (rows: readonly Row[], deltas: readonly Delta[], ranges?: Ranges): Row[] =>
  ranges ? addByRange(rows, deltas, ranges) : addByKey(rows, deltas);

/** The rows before a bound. The rows from it on belong to the next node. */
export const trim = (rows: readonly Row[], end: string | undefined): Row[] =>
  rows.filter(({ key }) => end === undefined || compareCodePoints(key, end) < 0);

/** Rows from a bound. */
export interface Part {
  from: string;
  rows: Row[];
}

/** DynamoDB takes sort keys of at most so many bytes. */
const MAX_SORT_KEY_BYTES = 1_024;

/** One character fewer: a text that is cut to the size of a sort key is longer than every bound, so no bound lies between it and the whole text. */
const MAX_BOUND_BYTES = MAX_SORT_KEY_BYTES - 4;

/** Whether a node can begin at a key: a long country with a long name is too long. */
export const isBound = (key: string): boolean => Buffer.byteLength(key) <= MAX_BOUND_BYTES;

/** A text as a query may have it: cut to what a sort key can have. It lies between the same bounds as the whole text. */
export const queryable = (text: string): string =>
  isBound(text) ? text : new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_SORT_KEY_BYTES), { stream: true });

/** What cannot begin a node stays with what is before it: such a node is larger than others. */
function bounded(rows: readonly Row[]): Row[][] {
  const all: Row[][] = [];
  for (const row of rows) {
    if (all.length > 0 && !isBound(row.key)) all.at(-1)?.push(row);
    else all.push([row]);
  }
  return all;
}

/** Cuts the rows of a node, until each part is small enough. The first part keeps the node's bound. */
export function cut(from: string, rows: readonly Row[], isSmall: (rows: Row[]) => boolean): Part[] {
  const halve = (groups: readonly Row[][]): Row[][] => {
    if (groups.length < 2 || isSmall(groups.flat())) return [groups.flat()];
    const middle = groups.length >> 1;
    return [groups.slice(0, middle), groups.slice(middle)].flatMap(halve);
  };
  return halve(bounded(rows)).map((half, i) => ({ from: i === 0 ? from : (half[0]?.key ?? from), rows: half }));
}
