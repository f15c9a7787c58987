/** A random number in [0, 1). */
export type Random = () => number;

/** The item at a position on a line from 0, on which each item takes its share. Undefined beyond the last one. */
export function byShare<Item extends { readonly share: number }>(
  items: readonly Item[],
  drawn: number,
): Item | undefined {
  let end = 0;
  return items.find(({ share }) => {
    end += share;
    return drawn < end;
  });
}

/** Scrambles an integer over 32 bits (the finalizer of MurmurHash3). The item of a rank must not depend on the seed. */
export function scramble(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The same shuffled order for the same items in every run. */
export const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item, index) => ({ item, key: scramble(index + 1) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

/** By Newton's method: the last bit of `**` may differ between machines. */
function root(value: number, degree: number): number {
  let guess = Math.max(1, value);
  for (;;) {
    let power = 1;
    for (let factor = 1; factor < degree; factor++) power *= guess;
    const better = ((degree - 1) * guess + value / power) / degree;
    if (better >= guess) return guess;
    guess = better;
  }
}

/** How uneven shares are: the share of a rank is proportional to (rank + `offset`) to the power -(1 + 1/`degree`). */
export interface Spread {
  readonly degree: number;
  /** A greater offset makes the first rank less dominant. */
  readonly offset: number;
}

/**
 * Draws ranks from 0 to `size` - 1 by the law of Zipf and Mandelbrot.
 *
 * Inverts the sum of the shares, so memory and time do not grow with the number of ranks. The degree is an integer, so sums,
 * products and quotients are enough, and these are the same on every machine.
 */
export function zipfMandelbrot(size: number, { degree, offset }: Spread, random: Random): () => number {
  const start = 1 / root(offset, degree);
  const end = 1 / root(size + offset, degree);
  return () => {
    const drawn = start - random() * (start - end);
    let product = drawn;
    for (let factor = 1; factor < degree; factor++) product *= drawn;
    return Math.max(0, Math.min(size - 1, Math.floor(1 / product - offset)));
  };
}

/** Draws the items, the first most often. */
export function zipfOf<Item>(items: readonly Item[], spread: Spread, random: Random): () => Item {
  const rank = zipfMandelbrot(items.length, spread, random);
  return () => {
    const item = items[rank()];
    if (item === undefined) throw new Error('There is nothing to draw from');
    return item;
  };
}
