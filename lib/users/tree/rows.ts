import { addModulo } from '../hash.ts';
import { compareCodePoints } from '../text.ts';
import type { TreeMap } from './tree.ts';

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

/** Adds to one number. */
export function addTo(counts: Map<string, number>, bucket: string, n: number): void {
  counts.set(bucket, addModulo(counts.get(bucket) ?? 0, n));
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

/** The key of the row that a key is counted in. @param startOf in a map of ranges */
function rowKey(rows: readonly Row[], key: string, startOf: TreeMap['startOf']): string {
  if (!startOf) return key;
  const [floor, start] = [rows[floorOf(rows.length, (place) => rows[place]?.key, key) - 1]?.key, startOf(key)];
  return floor === undefined || compareCodePoints(floor, start) < 0 ? start : floor;
}

/** The rows with the deltas added. Those without numbers are dropped, but for rows of ranges. */
export function addDeltas(rows: readonly Row[], deltas: readonly Delta[], startOf?: TreeMap['startOf']): Row[] {
  const before = new Map(rows.map((row) => [row.key, row]));
  const changed = new Map<string, Map<string, number>>();
  for (const { key, bucket, n } of deltas) {
    const own = rowKey(rows, key, startOf);
    const counts = changed.get(own) ?? new Map(before.get(own)?.counts);
    changed.set(own, counts);
    addTo(counts, bucket, n);
  }
  const after = new Map([...changed].map(([key, counts]): [string, Row] => [key, { key, counts: sorted(counts) }]));
  const isKept = (row: Row) => startOf !== undefined || row.counts.size > 0;
  const present = rows.flatMap((row) => [after.get(row.key) ?? row].filter((own) => own === row || isKept(own)));
  const added = [...after.values()].filter((row) => !before.has(row.key) && isKept(row));
  return added.length === 0 ? present : [...present, ...added].sort((a, b) => compareCodePoints(a.key, b.key));
}

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
