import { Delayed } from './delayed.ts';
import type { Item } from './expressions.ts';
import type { Lag } from './indexes.ts';
import { Rows } from './rows.ts';

/** A table as weak reads see it: each change arrives late, but the changes of an item arrive in order. */
export class Replica {
  readonly rows = new Rows('pk', 'sk');
  private readonly now: () => number;
  private readonly lag: Lag;
  private readonly delayed: Delayed;
  private readonly lastOf = new Map<string, number>();

  constructor(now: () => number, lag: Lag) {
    this.now = now;
    this.lag = lag;
    this.delayed = new Delayed(now);
  }

  follow(before: Item | undefined, after: Item | undefined): void {
    const { pk, sk } = after ?? before ?? {};
    const id = JSON.stringify([pk, sk]);
    const at = Math.max(this.now() + this.lag('directory'), this.lastOf.get(id) ?? 0);
    this.lastOf.set(id, at);
    this.delayed.add(at, () => (after ? this.rows.put(after) : this.rows.delete(before ?? {})));
  }

  arrive(): void {
    this.delayed.arrive();
  }
}
