import { inChunks, made, type Steps } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';
import { check } from './bytes.ts';

/** The codes of all rows in less memory than a number for each. */
export interface StoredCodes {
  at(row: number): number;
  all(): Steps<Uint32Array>;
}

/**
 * Numbers up to the most, in as few bytes as that one needs: first the lowest byte of each, then the next one. So those that are alike
 * are together, which takes a tenth less when it is compressed.
 */
export function packCodes(codes: Uint32Array, most: number): Buffer[] {
  const planes: Buffer[] = [];
  for (let shift = 0; planes.length === 0 || most >= 2 ** shift; shift += 8) {
    const plane = Buffer.allocUnsafeSlow(codes.length);
    for (let i = 0; i < plane.length; i++) plane[i] = (codes[i] ?? 0) >>> shift;
    planes.push(plane);
  }
  return planes;
}

/** Adds a plane to some of the codes. */
const adding = (codes: Uint32Array, plane: Buffer, shift: number) => (from: number, to: number) => {
  for (let i = from; i < to; i++) codes[i] = (codes[i] ?? 0) | ((plane[i] ?? 0) << shift);
};

/** The codes of all rows as they are stored. */
export class Codes implements StoredCodes {
  readonly #planes: readonly Buffer[];
  readonly #most: number;

  constructor(planes: readonly Buffer[], count: number, most: number) {
    this.#planes = planes;
    this.#most = most;
    check(planes.length > 0 && planes.every(({ length }) => length === count), 'its codes');
  }

  at(row: number): number {
    let code = 0;
    for (const [n, plane] of this.#planes.entries()) code += (plane[row] ?? 0) * 2 ** (8 * n);
    check(code <= this.#most, 'a code');
    return code;
  }

  *all(): Steps<Uint32Array> {
    const most = this.#most;
    const [lowest = Buffer.alloc(0), ...others] = this.#planes;
    const codes = new Uint32Array(lowest);
    const adds = others.map((plane, n) => adding(codes, plane, 8 * (n + 1)));
    yield* inChunks(codes.length, (from, to) => {
      for (const add of adds) add(from, to);
      for (let i = from; i < to; i++) check((codes[i] ?? 0) <= most, 'a code');
    });
    return codes;
  }
}

/** The codes of the rows that have a value, which are few: others have the code behind all. */
export class Sparse implements StoredCodes {
  /** Ascending. */
  readonly rows: Uint32Array;
  readonly codes: Uint32Array;
  readonly #size: number;
  readonly #none: number;

  /** @param size how many rows there are */
  constructor(rows: Uint32Array, codes: Uint32Array, size: number, none: number) {
    this.rows = rows;
    this.codes = codes;
    this.#size = size;
    this.#none = none;
  }

  at(row: number): number {
    const i = firstNot(this.rows.length, (i) => (this.rows[i] ?? 0) < row);
    return (this.rows[i] === row ? this.codes[i] : undefined) ?? this.#none;
  }

  *all(): Steps<Uint32Array> {
    const codes = new Uint32Array(this.#size).fill(this.#none);
    yield;
    yield* inChunks(this.rows.length, (from, to) => {
      for (let i = from; i < to; i++) codes[this.rows[i] ?? 0] = this.codes[i] ?? 0;
    });
    return codes;
  }
}

/** Where fewer than one row of this number has a value, the others take no memory. */
const FEW = 4;

/** @param codes of some rows */
export function storedCodes(rows: Uint32Array, codes: Uint32Array, size: number, none: number): StoredCodes {
  const sparse = new Sparse(rows, codes, size, none);
  if (rows.length * FEW < size) return sparse;
  return new Codes(packCodes(made(sparse.all()), none), size, none);
}
