import { USERS_INDEXES } from '../../../lib/users/indexes.ts';
import type { Item } from './expressions.ts';
import { Rows } from './rows.ts';

/** How late an index is with a change, in milliseconds. */
export type Lag = (index: string) => number;

interface Pending {
  at: number;
  apply: () => void;
}

/**
 * The indexes of the Users table, each as late as it is told to be. As in DynamoDB, the changes of one item arrive in
 * their order; where a key changes, the old entry goes first, and the new one may come later.
 */
export class Indexes {
  readonly rows = new Map(
    USERS_INDEXES.map(({ name, partitionKey, sortKey }) => [name, new Rows(partitionKey, sortKey)]),
  );
  private readonly pending: Pending[] = [];
  private readonly lastOf = new Map<string, number>();

  constructor(
    private readonly now: () => number,
    public lag: Lag,
  ) {}

  private later(at: number, apply: () => void): void {
    let place = this.pending.length;
    while (place > 0 && (this.pending[place - 1]?.at ?? 0) > at) place--;
    this.pending.splice(place, 0, { at, apply });
  }

  /** Tells all indexes that an item of the table has changed. */
  follow(before: Item | undefined, after: Item | undefined): void {
    for (const { name, partitionKey, sortKey } of USERS_INDEXES) {
      const rows = this.rows.get(name);
      const id = `${name} ${(after ?? before)?.id}`;
      const isSame = [partitionKey, sortKey].every((key) => before?.[key] === after?.[key]);
      const earliest = Math.max(this.now() + this.lag(name), this.lastOf.get(id) ?? 0);
      const end = Math.max(this.now() + this.lag(name), earliest);
      if (before && !isSame) this.later(earliest, () => rows?.delete(before));
      if (after) {
        const { version, fields } = after;
        const entry = { id: after.id, version, fields, [partitionKey]: after[partitionKey], [sortKey]: after[sortKey] };
        this.later(before && !isSame ? end : earliest, () => rows?.put(entry));
      }
      this.lastOf.set(id, end);
    }
  }

  /** Brings all indexes to the present. */
  arrive(): void {
    while (this.pending[0] && this.pending[0].at <= this.now()) this.pending.shift()?.apply();
  }
}
