export const SEED = 1;
export const PAGE_SIZE = 20;

export const times = <Item = number>(count: number, draw: (i: number) => Item = (i) => i as Item): Item[] =>
  Array.from({ length: count }, (_, i) => draw(i));

/** The share of users who are changed before questions are asked: the one from which on they are merged, but for one user. */
const CHANGED = 0.05;

/** The rows of these users, evenly among all. */
export function rowsToChange(users: number): number[] {
  const count = Math.max(1, Math.round(users * CHANGED) - 1);
  return times(count, (i) => Math.floor(((i + 0.5) * users) / count));
}

/** The number of the page at a depth from 0 (the first) to 1 (the last) of a list of `total` users. */
export function pageAt(depth: number, total: number): number {
  const pages = Math.ceil(total / PAGE_SIZE);
  return Math.max(0, Math.min(pages - 1, Math.floor(depth * pages)));
}
