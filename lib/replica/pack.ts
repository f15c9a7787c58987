/**
 * The stored form of a base:
 *
 *   4 bytes   the length of the head
 *   head      JSON: how many users, and of each column the kind, how many values, and its blobs
 *   blobs     the ids, then of each column values, places and equals, one after the other, each compressed for itself
 */
import { crc32 } from 'node:zlib';
import { Base } from './base.ts';
import {
  type Blob,
  BrokenBase,
  bytesOf,
  check,
  compress,
  decompress,
  isCount,
  MOST_BYTES,
  numbersIn,
  orBroken,
  packPlaces,
  packSteps,
  unpackPlaces,
  unpackSteps,
} from './bytes.ts';
import { Column } from './column.ts';
import type { Kind, Kinds } from './definition.ts';
import { Texts } from './texts.ts';

export { BrokenBase };

/** The checksum is that of the head, which has the checksums of the blobs. */
export interface Packed {
  readonly bytes: Buffer;
  readonly checksum: number;
  /** The bytes of all columns before they are compressed. */
  readonly unpacked: number;
}

interface ColumnHead {
  readonly field: string;
  readonly kind: Kind;
  readonly size: number;
  readonly equals: number;
  /** Values, places, equals. */
  readonly blobs: readonly [Blob, Blob, Blob];
}

interface Head {
  readonly format: number;
  readonly size: number;
  readonly ids: Blob;
  readonly columns: readonly ColumnHead[];
}

const FORMAT = 1;
const PREFIX = 4;

/** More than a replica is for: what a broken head may make us reserve. */
const MOST_USERS = 2 ** 26;

function packColumn({ kind, values, size, places, equals }: Column) {
  const bytes = values instanceof Texts ? values.bytes : bytesOf(values);
  const blobs = [bytes, packPlaces(places, size), packSteps(equals)].map(compress);
  return { head: { kind, size, equals: equals.length, blobs: blobs.map(({ blob }) => blob) }, blobs };
}

export function packBase(base: Base): Packed {
  const ids = compress(packSteps(base.ids));
  const columns = Object.keys(base.kinds).map((field) => ({ field, ...packColumn(base.column(field)) }));
  const heads = columns.map(({ field, head }) => ({ field, ...head }));
  const json = Buffer.from(JSON.stringify({ format: FORMAT, size: base.size, ids: ids.blob, columns: heads }));
  const start = Buffer.concat([Buffer.alloc(PREFIX), json]);
  start.writeUInt32LE(json.length);
  const blobs = [ids, ...columns.flatMap(({ blobs }) => blobs)];
  const unpacked = blobs.reduce((sum, { blob }) => sum + blob.raw, 0);
  return { bytes: Buffer.concat([start, ...blobs.map(({ bytes }) => bytes)]), checksum: crc32(start), unpacked };
}

function unpackValues({ kind, size }: ColumnHead, bytes: Buffer): Texts | Float64Array {
  if (kind === 'number') {
    const numbers = numbersIn(bytes);
    const ascend = numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0));
    check(numbers.length === size && ascend, 'its numbers');
    return numbers;
  }
  const texts = new Texts(bytes, size);
  check(texts.found === size && (size === 0 ? bytes.length === 0 : bytes.at(-1) === 0), 'its texts');
  return texts;
}

function unpackColumn(head: ColumnHead, users: number, [values, places, equals]: readonly (() => Buffer)[]): Column {
  check(values !== undefined && places !== undefined && equals !== undefined, 'its blobs');
  const same = unpackSteps(equals(), head.equals, head.size - 1);
  const dictionary = unpackValues(head, values());
  return new Column(head.kind, dictionary, unpackPlaces(places(), users, head.size), Uint32Array.from(same));
}

/** @throws {BrokenBase} or other errors, if the bytes are not of a base */
function open(kinds: Kinds, bytes: Buffer, checksum: number): Base {
  const start = PREFIX + bytes.readUInt32LE(0);
  check(start <= bytes.length && crc32(bytes.subarray(0, start)) === checksum, 'its head');
  const head = JSON.parse(bytes.toString('utf8', PREFIX, start)) as Head;
  check(head.format === FORMAT && isCount(head.size, MOST_USERS), 'its format');
  let at = start;
  const take = (blob: Blob): (() => Buffer) => {
    const stored = bytes.subarray(at, at + blob.stored);
    at += blob.stored;
    check(stored.length === blob.stored && crc32(stored) === blob.checksum, 'a part of it');
    check(isCount(blob.raw, MOST_BYTES), 'a length');
    return () => decompress(stored, blob.raw);
  };
  const ids = take(head.ids);
  const columns = new Map<string, () => Column>();
  for (const column of head.columns) {
    const { field, kind, size, equals, blobs } = column;
    check(isCount(size, head.size) && isCount(equals, size), 'a column');
    const taken = blobs.map(take);
    const isKnown = Object.hasOwn(kinds, field) && kinds[field] === kind;
    if (isKnown) columns.set(field, () => orBroken(() => unpackColumn(column, head.size, taken)));
  }
  check(at === bytes.length, 'its length');
  return new Base(kinds, head.size, [...columns.keys()], {
    ids: () => orBroken(() => unpackSteps(ids(), head.size, Number.MAX_SAFE_INTEGER)),
    column: (field) => columns.get(field)?.(),
  });
}

/**
 * Opens what `packBase` made. Blobs are checked now, and unpacked when a question first needs them. A field that the
 * bytes do not have, or have with another kind, is a column without values; columns of no field are ignored.
 *
 * @throws {BrokenBase} now, or from the first question
 */
export const openBase = (kinds: Kinds, bytes: Buffer, checksum: number): Base =>
  orBroken(() => open(kinds, bytes, checksum));
