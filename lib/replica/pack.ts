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
  aligned,
  type Blob,
  BrokenBase,
  check,
  compress,
  decompress,
  lengthOfPlaces,
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
  readonly blobs: readonly Blob[];
}

interface Head {
  readonly format: number;
  readonly size: number;
  readonly ids: Blob;
  readonly columns: readonly ColumnHead[];
}

const FORMAT = 1;
const PREFIX = 4;

/** What a broken head may make us reserve: more users or bytes of a blob than a replica is for. */
const MOST_USERS = 2 ** 24;
const MOST_BYTES = 2 ** 28;

function packColumn({ kind, values, size, places, equals }: Column) {
  const bytes =
    values instanceof Texts ? values.bytes : Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const blobs = [bytes, packPlaces(places, size), packSteps(equals)].map(compress);
  return { head: { kind, size, equals: equals.length, blobs: blobs.map(({ blob }) => blob) }, blobs };
}

export function packBase(base: Base): Packed {
  const ids = compress(packSteps(base.ids));
  const columns = Object.keys(base.kinds).map((field) => ({ field, ...packColumn(base.column(field)) }));
  const head: Head = {
    format: FORMAT,
    size: base.size,
    ids: ids.blob,
    columns: columns.map(({ field, head }) => ({ field, ...head })),
  };
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32LE(json.length);
  const start = Buffer.concat([prefix, json]);
  const blobs = [ids, ...columns.flatMap(({ blobs }) => blobs)];
  const unpacked = blobs.reduce((sum, { blob }) => sum + blob.raw, 0);
  return { bytes: Buffer.concat([start, ...blobs.map(({ bytes }) => bytes)]), checksum: crc32(start), unpacked };
}

const isCount = (value: unknown, most: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;

const isBlob = (blob: Blob): boolean => isCount(blob.stored, MOST_BYTES) && isCount(blob.raw, MOST_BYTES);

function isColumn({ field, kind, size, equals, blobs }: ColumnHead, users: number): boolean {
  const [values, places] = blobs;
  return (
    typeof field === 'string' &&
    ['text', 'exact', 'number'].includes(kind) &&
    isCount(size, users) &&
    isCount(equals, size) &&
    blobs.length === 3 &&
    blobs.every(isBlob) &&
    places?.raw === lengthOfPlaces(users, size) &&
    (kind !== 'number' || values?.raw === size * Float64Array.BYTES_PER_ELEMENT)
  );
}

/** @throws {BrokenBase} if it is not of the shape of a head */
function parseHead(json: string): Head {
  try {
    const head = JSON.parse(json) as Head;
    const isSound =
      head.format === FORMAT &&
      isCount(head.size, MOST_USERS) &&
      isBlob(head.ids) &&
      head.columns.every((column) => isColumn(column, head.size));
    check(isSound, 'its head');
    return head;
  } catch (error) {
    throw error instanceof BrokenBase ? error : new BrokenBase('A stored base is broken: its head', { cause: error });
  }
}

/** Takes the blobs from the bytes behind the head, and checks each. */
function taking(bytes: Buffer, from: number) {
  let at = from;
  const take = ({ stored, raw, checksum }: Blob): (() => Buffer) => {
    const blob = bytes.subarray(at, at + stored);
    at += stored;
    check(blob.length === stored && crc32(blob) === checksum, 'a part of it');
    return () => decompress(blob, raw);
  };
  return { take, isAtEnd: () => at === bytes.length };
}

function unpackValues({ kind, size }: ColumnHead, bytes: Buffer): Texts | Float64Array {
  if (kind === 'number') {
    const numbers = new Float64Array(aligned(bytes));
    check(
      numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0)),
      'numbers out of order',
    );
    return numbers;
  }
  const texts = new Texts(bytes, size);
  check(texts.found === size && (size === 0 ? bytes.length === 0 : bytes.at(-1) === 0), 'its texts');
  return texts;
}

/**
 * Opens what `packBase` made. Blobs are checked now, and unpacked when a question first needs them. A field that the bytes do
 * not have, or have with another kind, is a column without values; columns of no field are ignored.
 *
 * @throws {BrokenBase} now, or from the first question
 */
export function openBase(kinds: Kinds, bytes: Buffer, checksum: number): Base {
  check(bytes.length >= PREFIX, 'its length');
  const start = PREFIX + bytes.readUInt32LE(0);
  check(start <= bytes.length && crc32(bytes.subarray(0, start)) === checksum, 'its checksum');
  const head = parseHead(bytes.toString('utf8', PREFIX, start));
  const { take, isAtEnd } = taking(bytes, start);
  const ids = take(head.ids);
  const columns = new Map<string, () => Column>();
  for (const column of head.columns) {
    const [values, places, equals] = column.blobs.map(take);
    const open = () => {
      const dictionary = unpackValues(column, values?.() ?? Buffer.alloc(0));
      const rows = unpackPlaces(places?.() ?? Buffer.alloc(0), column.size);
      const same = unpackSteps(equals?.() ?? Buffer.alloc(0), column.equals, column.size - 1);
      return new Column(column.kind, dictionary, rows, Uint32Array.from(same));
    };
    if (Object.hasOwn(kinds, column.field) && kinds[column.field] === column.kind) columns.set(column.field, open);
  }
  check(isAtEnd(), 'bytes left over');
  return new Base(kinds, head.size, [...columns.keys()], {
    ids: () => unpackSteps(ids(), head.size, Number.MAX_SAFE_INTEGER),
    column: (field) => columns.get(field)?.(),
  });
}
