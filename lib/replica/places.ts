import { check } from './bytes.ts';
import type { Steps } from './steps.ts';

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

/** In format 1 all bytes of a number are side by side, and it takes four where three would do. */
export function formerPlaces(bytes: Buffer, most: number): Uint32Array {
  const kind = most < 2 ** 8 ? Uint8Array : most < 2 ** 16 ? Uint16Array : Uint32Array;
  return new Uint32Array(new kind(new Uint8Array(bytes).buffer));
}

/** The places of all rows as they are stored. */
export class Places {
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

  /** A step is one byte of each. */
  *all(): Steps<Uint32Array> {
    const [lowest = Buffer.alloc(0), ...others] = this.#planes;
    const places = new Uint32Array(lowest);
    for (const [n, plane] of others.entries()) {
      yield;
      const shift = 8 * (n + 1);
      for (let i = 0; i < places.length; i++) places[i] = (places[i] ?? 0) | ((plane[i] ?? 0) << shift);
    }
    yield;
    let highest = 0;
    for (let i = 0; i < places.length; i++) highest = Math.max(highest, places[i] ?? 0);
    check(highest <= this.#most, 'a place');
    return places;
  }
}
