import { check } from './bytes.ts';
import { inSlices, made, type Steps } from './steps.ts';
import { firstNot } from './texts.ts';

/** The places of all rows in less memory than a number for each. */
export interface StoredPlaces {
  at(row: number): number;
  all(): Steps<Uint32Array>;
}

/**
 * Numbers up to the most, in as few bytes as that one needs: first the lowest byte of each, then the next one. So those that are alike
 * are together, which takes a tenth less when it is compressed.
 */
export function packPlaces(places: Uint32Array, most: number): Buffer[] {
  const planes: Buffer[] = [];
  for (let shift = 0; planes.length === 0 || most >= 2 ** shift; shift += 8) {
    const plane = Buffer.allocUnsafeSlow(places.length);
    for (let i = 0; i < plane.length; i++) plane[i] = (places[i] ?? 0) >>> shift;
    planes.push(plane);
  }
  return planes;
}

function addPlane(places: Uint32Array, plane: Buffer, shift: number, from: number, to: number): void {
  for (let i = from; i < to; i++) places[i] = (places[i] ?? 0) | ((plane[i] ?? 0) << shift);
}

/** The places of all rows as they are stored. */
export class Places implements StoredPlaces {
  readonly #planes: readonly Buffer[];
  readonly #most: number;

  constructor(planes: readonly Buffer[], count: number, most: number) {
    this.#planes = planes;
    this.#most = most;
    check(planes.length > 0 && planes.every(({ length }) => length === count), 'its places');
  }

  at(row: number): number {
    let place = 0;
    for (const [n, plane] of this.#planes.entries()) place += (plane[row] ?? 0) * 2 ** (8 * n);
    check(place <= this.#most, 'a place');
    return place;
  }

  *all(): Steps<Uint32Array> {
    const most = this.#most;
    const [lowest = Buffer.alloc(0), ...others] = this.#planes;
    const places = new Uint32Array(lowest);
    yield* inSlices(places.length, (from, to) => {
      for (const [n, plane] of others.entries()) addPlane(places, plane, 8 * (n + 1), from, to);
      for (let i = from; i < to; i++) check((places[i] ?? 0) <= most, 'a place');
    });
    return places;
  }
}

/** The places of the rows that have a value, which are few: others have the place behind all. */
export class Sparse implements StoredPlaces {
  /** Ascending. */
  readonly rows: Uint32Array;
  readonly places: Uint32Array;
  readonly #size: number;
  readonly #none: number;

  /** @param size how many rows there are */
  constructor(rows: Uint32Array, places: Uint32Array, size: number, none: number) {
    this.rows = rows;
    this.places = places;
    this.#size = size;
    this.#none = none;
  }

  at(row: number): number {
    const i = firstNot(this.rows.length, (i) => (this.rows[i] ?? 0) < row);
    return (this.rows[i] === row ? this.places[i] : undefined) ?? this.#none;
  }

  *all(): Steps<Uint32Array> {
    const places = new Uint32Array(this.#size).fill(this.#none);
    yield;
    yield* inSlices(this.rows.length, (from, to) => {
      for (let i = from; i < to; i++) places[this.rows[i] ?? 0] = this.places[i] ?? 0;
    });
    return places;
  }
}

/** Where fewer than one row in so many has a value, the others take no place. */
const FEW = 4;

/** @param places of some rows */
export function storedPlaces(rows: Uint32Array, places: Uint32Array, size: number, none: number): StoredPlaces {
  const sparse = new Sparse(rows, places, size, none);
  if (rows.length * FEW < size) return sparse;
  return new Places(packPlaces(made(sparse.all()), none), size, none);
}
