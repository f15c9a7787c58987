import { type ByteReader, type ByteWriter, createReader, createWriter } from '../bytes.ts';
import { addModulo, hash48 } from '../hash.ts';
import { SEPARATOR } from '../keys.ts';
import { compareCodePoints } from '../text.ts';

/** The counts of one key, by bucket: the text that tells what is counted. */
export interface Entry {
  key: string;
  counts: Map<string, number>;
}

/** An entry with more counts can be split itself. */
const COUNTS_PER_PART = 16;

const hashes = new Map<string, string>();
const MAX_HASHES = 10_000;

const shortHash = (text: string): string => hash48(text).toString(16).padStart(12, '0').slice(0, 4);

/**
 * Orders the buckets of one key, in few characters: keys have at most 1,024 bytes. Buckets with the same first part are
 * neighbours, so a user who leaves one for another often stays on its page.
 */
function bucketHash(bucket: string): string {
  const known = hashes.get(bucket);
  if (known !== undefined) return known;
  if (hashes.size >= MAX_HASHES) hashes.clear();
  const hash = shortHash(bucket.split(SEPARATOR, 1)[0] ?? '') + shortHash(bucket);
  hashes.set(bucket, hash);
  return hash;
}

/** The position of a count in its map, which is compared with the lower bounds of pages. */
export const positionOf = (key: string, bucket: string): string => key + SEPARATOR + bucketHash(bucket);

function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a[i] === b[i]) i++;
  return i;
}

/** The places of texts in a list that grows as they come up. */
function createTable() {
  const places = new Map<string, number>();
  return {
    placeOf(text: string): number {
      const place = places.get(text) ?? places.size;
      places.set(text, place);
      return place;
    },
    texts: () => [...places.keys()],
  };
}

/** Buckets as the places of their parts: a page names each status and country once. Buckets with unequal numbers of parts stay whole. */
function writeBuckets(writer: ByteWriter, buckets: readonly string[]): void {
  const parts = createTable();
  const split = buckets.map((bucket) => bucket.split(SEPARATOR));
  const partsOfEach = split[0]?.length ?? 0;
  const areEqual = split.every(({ length }) => length === partsOfEach);
  const places = (areEqual ? split : buckets.map((bucket) => [bucket])).map((texts) => texts.map(parts.placeOf));
  writer.integer(parts.texts().length);
  for (const part of parts.texts()) writer.text(part);
  writer.integer(areEqual ? partsOfEach : 1);
  writer.integer(places.length);
  for (const place of places.flat()) writer.integer(place);
}

function readBuckets(reader: ByteReader): string[] {
  const times = <Value>(length: number, read: () => Value): Value[] => Array.from({ length }, read);
  const parts = times(reader.integer(), () => reader.text());
  const partsOfEach = reader.integer();
  return times(reader.integer(), () => times(partsOfEach, () => parts[reader.integer()] ?? '').join(SEPARATOR));
}

/** The counts of an entry, and the places of their buckets: only the first one if the others follow it. */
function writeCounts(writer: ByteWriter, places: readonly number[], counts: readonly number[]): void {
  const [first = 0] = places;
  const isRow = places.every((place, i) => place === first + i);
  writer.integer(2 * counts.length + Number(isRow));
  if (isRow) writer.integer(first);
  for (const [i, n] of counts.entries()) {
    if (!isRow) writer.integer(places[i] ?? 0);
    writer.integer(n);
  }
}

function readCounts(reader: ByteReader, add: (place: number, n: number) => void): void {
  const header = reader.integer();
  const isRow = header % 2 === 1;
  const first = isRow ? reader.integer() : 0;
  for (let i = 0; i < Math.floor(header / 2); i++) {
    const place = isRow ? first + i : reader.integer();
    add(place, reader.integer());
  }
}

/**
 * The buckets that occur, then the entries: each has the length that its key shares with the one before it, the rest of
 * the key, and its counts, which point to the buckets. Entries must be in the order of their keys.
 */
export function encodePage(entries: readonly Entry[]): Uint8Array {
  const buckets = createTable();
  for (const { counts } of entries) for (const bucket of counts.keys()) buckets.placeOf(bucket);
  const writer = createWriter();
  writeBuckets(writer, buckets.texts());
  let previous: Uint8Array = new Uint8Array();
  for (const { key, counts } of entries) {
    const bytes = Buffer.from(key);
    const shared = sharedLength(previous, bytes);
    writer.integer(shared);
    writer.integer(bytes.length - shared);
    writer.bytes(bytes.subarray(shared));
    writeCounts(writer, Array.from(counts.keys(), buckets.placeOf), [...counts.values()]);
    previous = bytes;
  }
  return writer.finish();
}

/** DynamoDB allows sort keys of 1,024 bytes; the keys of a map are its sort keys. */
const MAX_KEY_BYTES = 1_100;

/** Calls `visit` for each count, in the order of the keys. Takes about a microsecond an entry. */
export function visitPage(data: Uint8Array, visit: (key: string, bucket: string, n: number) => void): void {
  const reader = createReader(data);
  const buckets = readBuckets(reader);
  const key = Buffer.allocUnsafe(MAX_KEY_BYTES);
  while (reader.hasMore()) {
    const shared = reader.integer();
    const rest = reader.integer();
    key.set(reader.bytes(rest), shared);
    const text = key.toString('utf8', 0, shared + rest);
    readCounts(reader, (place, n) => visit(text, buckets[place] ?? '', n));
  }
}

export function decodePage(data: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  visitPage(data, (key, bucket, n) => {
    const last = entries.at(-1);
    if (last?.key === key) last.counts.set(bucket, n);
    else entries.push({ key, counts: new Map([[bucket, n]]) });
  });
  return entries;
}

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
