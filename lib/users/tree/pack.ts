import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Row } from './rows.ts';

/** Raw deflate (RFC 1951): a node has no use for a header and a checksum. Its few kilobytes need no more memory. */
const DEFLATE = { level: 9, memLevel: 5 };
const INFLATE = { chunkSize: 16_384 };

/** A row as JSON: its key, then each bucket and its number. */
type Packed = [key: string, ...counts: (string | number)[]];

function countsOf(packed: Packed): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 1; i < packed.length; i += 2) counts.set(packed[i] as string, packed[i + 1] as number);
  return counts;
}

/**
 * A row as it was read: most rows of a node are written again as they were. Its numbers are unpacked when somebody asks for them,
 * so a copy by `...` has neither key nor numbers.
 */
class PackedRow implements Row {
  readonly packed: Packed;
  private unpacked: Map<string, number> | undefined;

  constructor(packed: Packed) {
    this.packed = packed;
  }

  get key(): string {
    return this.packed[0];
  }

  get counts(): Map<string, number> {
    this.unpacked ??= countsOf(this.packed);
    return this.unpacked;
  }
}

const packedOf = (row: Row): Packed =>
  row instanceof PackedRow ? row.packed : [row.key, ...Array.from(row.counts).flat()];

/** Rows as deflated JSON. They have been sorted: equal beginnings of keys that follow each other are stored once. */
export const pack = (rows: readonly Row[]): Uint8Array => deflateRawSync(JSON.stringify(rows.map(packedOf)), DEFLATE);

/** The rows of a node. Whoever changes the numbers of one makes another row. */
export const unpack = (data: Uint8Array): Row[] =>
  (JSON.parse(inflateRawSync(data, INFLATE).toString()) as Packed[]).map((packed) => new PackedRow(packed));
