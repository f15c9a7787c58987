import { type ByteReader, type ByteWriter, createReader, createWriter } from '../bytes.ts';
import { SEPARATOR } from '../keys.ts';

/** The counts of one key, by bucket: the text that tells what is counted. */
export interface Entry {
  key: string;
  counts: Map<string, number>;
}

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
