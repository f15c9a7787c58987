import type { Item } from '../../../tools/local/memoryStore/expressions.ts';
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
export class LateRows implements View {
  readonly rows: Rows;
  private readonly options: Options;
  /** Changes to come, in the order of their times. */
  private readonly pending: { at: number; apply: () => void }[] = [];
  private readonly lastOf = new Map<string, number>();

  constructor(options: Options) {
    this.options = options;
    this.rows = options.rows;
  }

  private add(at: number, apply: () => void): void {
    const place = this.pending.findLastIndex((other) => other.at <= at) + 1;
    this.pending.splice(place, 0, { at, apply });
  }

  /** Takes over a change of an item. */
  follow(before: Item | undefined, after: Item | undefined): void {
    const { rows, name, now, lag } = this.options;
    const { id, pk, sk } = after ?? before ?? {};
    const item = JSON.stringify([id, pk, sk]);
    const isMoved = before && !(after && isSameKey(rows, before, after));
    const first = Math.max(now() + lag(name), this.lastOf.get(item) ?? 0);
    const last = after && isMoved ? Math.max(now() + lag(name), first) : first;
    if (isMoved) this.add(first, () => rows.delete(before));
    if (after) this.add(last, () => hasKey(rows, after) && rows.put(after));
    this.lastOf.set(item, last);
  }

  /** Applies all changes that are due. */
  arrive(): void {
    const now = this.options.now();
    const later = this.pending.findIndex(({ at }) => at > now);
    for (const { apply } of this.pending.splice(0, later < 0 ? this.pending.length : later)) apply();
  }
}
