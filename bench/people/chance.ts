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
