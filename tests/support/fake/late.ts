import { hasKey, isSameKey, type Rows } from '../../../tools/local/memoryStore/rows.ts';
import type { View } from '../../../tools/local/memoryStore/table.ts';

/** The delay of a change in an index, or in weak reads of the directory, in milliseconds. */
export type Lag = (index: string) => number;

interface Options {
  rows: Rows;
  name: string;
  now: () => number;
  lag: Lag;
}

/**
 * A table as an index has it, or as weak reads see it: each change arrives late. As in DynamoDB, changes of the same item arrive in
 * order, and a change of the key removes the old entry first. The new entry may come later.
 */
export function lateRows({ rows, name, now, lag }: Options): View {
  /** Changes to come, in the order of their times. */
  const pending: { at: number; apply: () => void }[] = [];
  const lastOf = new Map<string, number>();
  const add = (at: number, apply: () => void) =>
    pending.splice(pending.findLastIndex((other) => other.at <= at) + 1, 0, { at, apply });
  return {
    rows,
    follow(before, after) {
      const { id, pk, sk } = after ?? before ?? {};
      const item = JSON.stringify([id, pk, sk]);
      const isMoved = before && !(after && isSameKey(rows, before, after));
      const first = Math.max(now() + lag(name), lastOf.get(item) ?? 0);
      const last = after && isMoved ? Math.max(now() + lag(name), first) : first;
      if (isMoved) add(first, () => rows.delete(before));
      if (after) add(last, () => hasKey(rows, after) && rows.put(after));
      lastOf.set(item, last);
    },
    arrive() {
      const later = pending.findIndex(({ at }) => at > now());
      for (const { apply } of pending.splice(0, later < 0 ? pending.length : later)) apply();
    },
  };
}
