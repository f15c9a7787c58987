import type { User } from '../user.ts';
import { compareBy, type Order, type Ranked, rankBy } from './order.ts';

/** A slice [start, end) of an ordered sequence; `end` may be Infinity. */
export interface Window {
  start: number;
  end: number;
}

/** The first `size` of the added users, in a given order. */
export interface Selection {
  /** How many users were added, kept or not. */
  readonly count: number;
  add(user: User): void;
  slice(window: Window): User[];
}

/**
 * Keeps at most twice `size` users. When the buffer is full its later half is dropped, so an addition costs O(log size) on
 * average.
 */
export function createSelection(order: Order, size: number): Selection {
  const rank = rankBy(order);
  const compare = compareBy(order);
  let kept: Ranked[] = [];
  let count = 0;
  let isPruned = true;
  const prune = () => {
    if (isPruned) return;
    isPruned = true;
    kept = kept.sort(compare).slice(0, size);
  };
  return {
    get count() {
      return count;
    },
    add(user) {
      count++;
      kept.push(rank(user));
      isPruned = false;
      if (kept.length > 2 * size) prune();
    },
    slice({ start, end }) {
      prune();
      return kept.slice(start, end).map(({ user }) => user);
    },
  };
}
