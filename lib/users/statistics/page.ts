import { memoized } from '../../memoized.ts';
import { addModulo, hash48 } from '../hash.ts';
import { SEPARATOR } from '../keys.ts';
import { compareCodePoints } from '../text.ts';
import { type Entry, encodePage } from './packing.ts';

/** An entry with more counts can be split itself. */
const COUNTS_PER_PART = 16;

const shortHash = (text: string): string => hash48(text).toString(16).padStart(12, '0').slice(0, 4);

/**
 * Orders the buckets of one key, in few characters: keys have at most 1,024 bytes. Buckets with the same first part are
 * neighbours, so a user who leaves one for another often stays on its page.
 */
const bucketHash = memoized(
  (bucket: string): string => shortHash(bucket.split(SEPARATOR, 1)[0] ?? '') + shortHash(bucket),
);

/** The position of a count in its map, which is compared with the lower bounds of pages. */
export const positionOf = (key: string, bucket: string): string => key + SEPARATOR + bucketHash(bucket);

/** A change of one count. */
export interface Delta {
  key: string;
  bucket: string;
  n: number;
}

const byPosition = ([a]: [string, number], [b]: [string, number]): number => {
  const [left, right] = [bucketHash(a), bucketHash(b)];
  return left < right ? -1 : left > right ? 1 : compareCodePoints(a, b);
};

/** The entries with the deltas added. Zero counts are left out, except those of some buckets. */
export function addDeltas(entries: readonly Entry[], deltas: readonly Delta[], kept: readonly string[] = []): Entry[] {
  const byKey = new Map(entries.map(({ key, counts }) => [key, new Map(counts)]));
  for (const { key, bucket, n } of deltas) {
    const counts = byKey.get(key) ?? new Map<string, number>();
    counts.set(bucket, addModulo(counts.get(bucket) ?? 0, n));
    byKey.set(key, counts);
  }
  return [...byKey]
    .map(([key, counts]) => ({
      key,
      counts: new Map([...counts].filter(([bucket, n]) => n !== 0 || kept.includes(bucket)).sort(byPosition)),
    }))
    .filter(({ counts }) => counts.size > 0)
    .sort((a, b) => compareCodePoints(a.key, b.key));
}

/** The entries before a position. Those from it belong to the next page. */
export function trim(entries: readonly Entry[], end: string | undefined): Entry[] {
  if (end === undefined) return [...entries];
  const isBefore = (position: string) => compareCodePoints(position, end) < 0;
  return entries.flatMap(({ key, counts }) => {
    const kept = [...counts].filter(([bucket]) => isBefore(positionOf(key, bucket)));
    return kept.length === 0 ? [] : [{ key, counts: new Map(kept) }];
  });
}

/** A part of a page that is not split further, and its lower bound. */
export interface Piece {
  from: string;
  entries: Entry[];
}

/** Single entries, and parts of entries with many counts. Counts whose buckets have equal hashes stay together. */
function partsOf({ key, counts }: Entry): Piece[] {
  const parts: Piece[] = [];
  let previous: string | undefined;
  for (const [bucket, n] of counts) {
    const part = parts.at(-1)?.entries[0];
    const hash = bucketHash(bucket);
    if (part && (part.counts.size < COUNTS_PER_PART || hash === previous)) part.counts.set(bucket, n);
    else {
      const from = part ? positionOf(key, bucket) : key;
      parts.push({ from, entries: [{ key, counts: new Map([[bucket, n]]) }] });
    }
    previous = hash;
  }
  return parts;
}

/** Parts of one entry that meet again are one entry. */
function join(parts: readonly Piece[]): Entry[] {
  const entries: Entry[] = [];
  for (const {
    entries: [entry],
  } of parts) {
    const last = entries.at(-1);
    if (!entry) continue;
    if (last?.key === entry.key)
      entries[entries.length - 1] = { key: last.key, counts: new Map([...last.counts, ...entry.counts]) };
    else entries.push(entry);
  }
  return entries;
}

function halve(parts: readonly Piece[], maxBytes: number, halvings: number): Piece[][] {
  const isSmall = encodePage(join(parts)).length <= maxBytes;
  if (isSmall || parts.length < 2 || halvings === 0) return [[...parts]];
  const middle = parts.length >> 1;
  return [parts.slice(0, middle), parts.slice(middle)].flatMap((half) => halve(half, maxBytes, halvings - 1));
}

/** Cuts the entries of a page into parts that are small enough. The first keeps the bound of the page. */
export const cut = (from: string, entries: readonly Entry[], maxBytes: number, halvings: number): Piece[] =>
  halve(entries.flatMap(partsOf), maxBytes, halvings).map((parts, i) => ({
    from: i === 0 ? from : (parts[0]?.from ?? from),
    entries: join(parts),
  }));
