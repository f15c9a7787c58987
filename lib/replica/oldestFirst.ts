/** The least of a change that tells its place among others. */
interface Placed {
  id: number;
  version: number;
  at: number;
}

/** By the clocks of the writers, in milliseconds; 0 if there is none. */
export const ageOfOldest = (now: number, changes: readonly Pick<Placed, 'at'>[]): number =>
  now - changes.reduce((least, { at }) => Math.min(least, at), now);

/** By the clocks of the writers, which may differ: no entry comes before an older one of the same user. */
export function oldestFirst<Entry extends Placed>(entries: readonly Entry[]): Entry[] {
  const latest = new Map<number, number>();
  // Sorting is stable: versions stay in their order.
  const placed = entries
    .toSorted((a, b) => a.version - b.version)
    .map((entry) => {
      const at = Math.max(entry.at, latest.get(entry.id) ?? entry.at);
      latest.set(entry.id, at);
      return { entry, at };
    });
  return placed.sort((a, b) => a.at - b.at || a.entry.id - b.entry.id).map(({ entry }) => entry);
}
