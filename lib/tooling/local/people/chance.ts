/** A number from 0 (included) to 1 (excluded), by chance. */
export type Random = () => number;

/** The item that a number falls on, when each takes its share of the line from 0 on; none beyond the last one. */
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

/** Scrambles an integer over 32 bits: what a rank stands for must not depend on the seed (finalizer of MurmurHash3). */
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
