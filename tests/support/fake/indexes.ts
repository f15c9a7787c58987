import { USERS_INDEXES } from '../../../lib/users/indexes.ts';
import { Delayed } from './delayed.ts';
import type { Item } from './expressions.ts';
import { Rows } from './rows.ts';

/** The delay of a change in an index, in milliseconds. */
export type Lag = (index: string) => number;

/**
 * The indexes of the Users table, each with a delay. As in DynamoDB, changes of the same item arrive in order, and a change of
 * the key removes the old entry first. The new entry may come later.
 */
export class Indexes {
  readonly rows = new Map(
    USERS_INDEXES.map(({ name, partitionKey, sortKey }) => [name, new Rows(partitionKey, sortKey)]),
  );
  lag: Lag;
  private readonly now: () => number;
  private readonly delayed: Delayed;
  private readonly lastOf = new Map<string, number>();

  constructor(now: () => number, lag: Lag) {
    this.lag = lag;
    this.now = now;
    this.delayed = new Delayed(now);
  }

  /** Sends a change of an item to all indexes. */
  follow(before: Item | undefined, after: Item | undefined): void {
    for (const { name, partitionKey, sortKey } of USERS_INDEXES) {
      const rows = this.rows.get(name);
      const id = `${name} ${(after ?? before)?.id}`;
      const isSame = [partitionKey, sortKey].every((key) => before?.[key] === after?.[key]);
      const earliest = Math.max(this.now() + this.lag(name), this.lastOf.get(id) ?? 0);
      const end = Math.max(this.now() + this.lag(name), earliest);
      if (before && !isSame) this.delayed.add(earliest, () => rows?.delete(before));
      if (after) {
        const { v, f } = after;
        const entry = { id: after.id, v, f, [partitionKey]: after[partitionKey], [sortKey]: after[sortKey] };
        this.delayed.add(before && !isSame ? end : earliest, () => rows?.put(entry));
      }
      this.lastOf.set(id, end);
    }
  }

  /** Brings all indexes to the present. */
  arrive(): void {
    this.delayed.arrive();
  }
}
