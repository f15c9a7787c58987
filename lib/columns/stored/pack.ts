/**
 * The stored form of a base:
 *
 *   4 bytes   the length of the head
 *   head      JSON: how many users, and of each column the kind, how many values, and its blobs
 *   blobs     the ids, then of each column values, codes and equals, one after the other, each compressed for itself
 *
 * Texts are in blocks, so that a page unpacks few of them. A column of members that few users have has one blob of codes: those of these
 * users, and then their rows. Version 2.3 has the same format: it passes over columns of fields that it does not know.
 */
import { crc32 } from 'node:zlib';
import { foldOf, type Kind, type Kinds, kindOf, nameOf } from '../values/definition.ts';
import { made } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';
import { Base, columnsOf, type Source } from './base.ts';
import {
  type Blob,
  BrokenBase,
  bytesOf,
  check,
  compress,
  DENSE,
  decompress,
  FAST,
  isCount,
  MOST_BYTES,
  numbersIn,
  orBroken,
  packAscending,
  readerOf,
  unpackAscending,
} from './bytes.ts';
import { type Carried, spared, sparedOf } from './carried.ts';
import { Codes, packCodes, Sparse } from './codes.ts';
import { Column } from './column.ts';
import { Numbers } from './numbers.ts';
import { type Block, Texts } from './texts.ts';

export { BrokenBase };

/** The checksum is that of the head, which has the checksums of the blobs. */
export interface Packed {
  readonly bytes: Buffer;
  readonly checksum: number;
  /** The bytes of all columns before they are compressed. */
  readonly unpacked: number;
}

/** Values, with their number. */
interface Values extends Blob {
  readonly size: number;
}

interface ColumnHead {
  readonly field: string;
  readonly kind: string;
  readonly size: number;
  readonly equals: number;
  /** Blocks of texts, or all numbers. */
  readonly values: readonly Values[];
  readonly places: readonly Blob[];
  readonly same: Blob;
  /** Of a column that few users have: how many. */
  readonly users?: number;
}

interface Head {
  readonly format: number;
  readonly size: number;
  readonly ids: Blob;
  readonly columns: readonly ColumnHead[];
}

const FORMAT = 3;
const PREFIX = 4;

/** More than a replica is for: what a broken head may make us reserve. */
const MOST_USERS = 2 ** 26;

/** Smaller ones take more bytes together, larger ones longer to show one text. */
const BLOCK_BYTES = 2 ** 18;

function blocksOf(texts: Texts): { bytes: Buffer; size: number }[] {
  const { bytes, ends, size } = texts;
  const blocks: { bytes: Buffer; size: number }[] = [];
  for (let first = 0; first < size; ) {
    const start = texts.start(first);
    const next = Math.max(
      first + 1,
      firstNot(size, (i) => (ends[i] ?? 0) < start + BLOCK_BYTES),
    );
    blocks.push({ bytes: bytes.subarray(start, texts.start(next)), size: next - first });
    first = next;
  }
  return blocks;
}

const after = (n: number) => n + 1;

function packSparse({ rows, codes }: Sparse, size: number): Buffer {
  return Buffer.concat([...packCodes(codes, size), packAscending(rows.map(after))]);
}

function packColumn(field: string, column: Column, isSpared: boolean) {
  const { kind, values, size, equals } = column;
  // Fields are as version 2.3 has them.
  const sparse = (kind === 'mixed' || isSpared) && size > 0 ? column.sparse : undefined;
  const blocks = values instanceof Texts ? blocksOf(values) : [{ bytes: bytesOf(values.all()), size }];
  const packed = blocks.map(({ bytes }) => compress(bytes, DENSE));
  const planes = sparse
    ? [compress(packSparse(sparse, size), DENSE)]
    : packCodes(column.codes, size).map((plane) => compress(plane, FAST));
  const same = compress(packAscending(equals), DENSE);
  const head: ColumnHead = {
    ...{ field, kind: nameOf(kind), size, equals: equals.length },
    values: packed.map(({ blob }, i) => ({ ...blob, size: blocks[i]?.size ?? 0 })),
    places: planes.map(({ blob }) => blob),
    same: same.blob,
    ...(sparse && { users: sparse.rows.length }),
  };
  return { head, blobs: [...packed, ...planes, same] };
}

/** @param carried what ids say is not stored */
export function packBase(base: Base, carried: Carried = {}): Packed {
  const ids = compress(packAscending(base.ids), DENSE);
  const fields = [...columnsOf(base.kinds), ...base.names];
  const columns = fields.map((field) => {
    const [column, numberOf] = [base.column(field), carried[field]];
    return packColumn(field, numberOf ? made(sparedOf(column, base.ids, numberOf)) : column, numberOf !== undefined);
  });
  const heads = columns.map(({ head }) => head);
  const json = Buffer.from(JSON.stringify({ format: FORMAT, size: base.size, ids: ids.blob, columns: heads }));
  const start = Buffer.concat([Buffer.alloc(PREFIX), json]);
  start.writeUInt32LE(json.length);
  const blobs = [ids, ...columns.flatMap(({ blobs }) => blobs)];
  const unpacked = blobs.reduce((sum, { blob }) => sum + blob.raw, 0);
  return { bytes: Buffer.concat([start, ...blobs.map(({ bytes }) => bytes)]), checksum: crc32(start), unpacked };
}

function numbersOf(bytes: Buffer, size: number): Numbers {
  const numbers = numbersIn(bytes);
  check(numbers.length === size && !Number.isNaN(numbers[0]), 'its numbers');
  for (let i = 1; i < size; i++) check((numbers[i] ?? 0) > (numbers[i - 1] ?? 0), 'its numbers');
  return new Numbers(numbers);
}

type Unpack = () => Buffer;

function blocksIn(values: readonly Values[], unpack: readonly Unpack[], size: number): Block[] {
  let first = 0;
  const blocks = values.map(({ size, raw: length }, i): Block => {
    check(isCount(size, MOST_USERS), 'a block');
    first += size;
    return { first: first - size, size, length, unpack: () => orBroken(unpack[i] ?? (() => Buffer.alloc(0))) };
  });
  check(first === size, 'its texts');
  return blocks;
}

function sparseOf(bytes: Buffer, count: number, users: number, size: number): Sparse {
  const planes: Buffer[] = [];
  for (let at = 0; planes.length === 0 || size >= 2 ** (8 * planes.length); at += count)
    planes.push(bytes.subarray(at, at + count));
  const codes = made(new Codes(planes, count, size - 1).all());
  const rows = unpackAscending(bytes.subarray(count * planes.length), count, users);
  return new Sparse(new Uint32Array(rows.map((row) => row - 1)), codes, users, size);
}

/** Reads the blobs of a column, and says how to unpack it. */
function takeColumn(head: ColumnHead, kind: Kind, users: number, take: (blob: Blob) => Unpack): () => Column {
  const { size, equals, values, users: few = 0 } = head;
  check(isCount(size, users) && isCount(equals, size) && isCount(few, users), 'a column');
  const blocks = values.map(take);
  const planes = head.places.map(take);
  const same = take(head.same);
  return () => {
    const [numbers] = blocks;
    const dictionary =
      kind === 'number' && numbers
        ? numbersOf(numbers(), size)
        : new Texts(blocksIn(values, blocks, size), size, foldOf(kind));
    const steps = unpackAscending(same(), equals, size - 1);
    const bytes = planes.map((unpack) => unpack());
    const codes = few > 0 ? sparseOf(Buffer.concat(bytes), few, users, size) : new Codes(bytes, users, size);
    return new Column(kind, dictionary, codes, Uint32Array.from(steps));
  };
}

/** A function of its own, so that nothing else of the bytes is kept for it. */
const unpackOf =
  (stored: Buffer, { raw }: Blob): Unpack =>
  () =>
    decompress(stored, raw);

/** A column that was unpacked is kept by its base, and the bytes that it came from are let go. */
function sourceOf(ids: Unpack, size: number, columns: Map<string, () => Column>, carried: Carried): Source {
  const column = (field: string): Column | undefined => {
    const unpack = columns.get(field);
    const unpacked = unpack && orBroken(unpack);
    columns.delete(field);
    return unpacked;
  };
  return {
    ids: () => orBroken(() => unpackAscending(ids(), size, Number.MAX_SAFE_INTEGER)),
    column,
    spared(field) {
      const numberOf = carried[field];
      const stored = numberOf && column(field);
      return stored && spared(stored, numberOf);
    },
  };
}

/** @throws {BrokenBase} or other errors, if the bytes are not of a base */
function open(kinds: Kinds, parts: readonly Uint8Array[], checksum: number, carried: Carried): Base {
  const read = readerOf(parts);
  const prefix = read(PREFIX);
  const json = read(prefix.readUInt32LE(0));
  check(crc32(json, crc32(prefix)) === checksum, 'its head');
  const head = JSON.parse(json.toString()) as Head;
  check(head.format === FORMAT && isCount(head.size, MOST_USERS), 'its format');
  const take = (blob: Blob): Unpack => {
    check(isCount(blob.stored, MOST_BYTES) && isCount(blob.raw, MOST_BYTES), 'a length');
    const stored = read(blob.stored);
    check(stored.length === blob.stored && crc32(stored) === blob.checksum, 'a part of it');
    return unpackOf(stored, blob);
  };
  const ids = take(head.ids);
  const columns = new Map<string, () => Column>();
  for (const column of head.columns) {
    const { field } = column;
    const kind = kindOf(kinds, field);
    const unpack = takeColumn(column, kind ?? 'text', head.size, take);
    if (kind !== undefined && column.kind === nameOf(kind)) columns.set(field, unpack);
  }
  check(read(1).length === 0, 'its length');
  return new Base(kinds, head.size, [...columns.keys()], sourceOf(ids, head.size, columns, carried));
}

/**
 * Opens what `packBase` made, in parts. Blobs are checked now, and unpacked when a question first needs them. A field that the
 * bytes do not have, or have with another kind, is a column without values; columns of no field are ignored.
 *
 * @param carried as the base was packed with
 * @throws {BrokenBase} now, or from the first question
 */
export const openBase = (kinds: Kinds, parts: readonly Uint8Array[], checksum: number, carried: Carried = {}): Base =>
  orBroken(() => open(kinds, parts, checksum, carried));
