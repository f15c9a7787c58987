import type { User } from '../user.ts';
import type { Order } from './order.ts';
import type { Range } from './ranges.ts';
import { type ScanDependencies, scanRange } from './scan.ts';
import { createSelection, type Window } from './selection.ts';

export interface Gather {
  ranges: readonly Range[];
  order: Order;
  window: Window;
  keep: (user: User) => boolean;
  /** How many users a range has on average. */
  expected: number;
}

/** Enough to hide the round trips of many short ranges. */
const PARALLEL_SCANS = 8;

/** Reads ranges whole and orders in memory what passes; keeps no more than the window needs, whatever is read. */
export async function gather(
  dependencies: ScanDependencies,
  { ranges, order, window, keep, expected }: Gather,
): Promise<User[]> {
  const selection = createSelection(order, window.end);
  const waiting = ranges.values();
  const scanWaiting = async () => {
    for (const range of waiting) {
      for await (const user of scanRange(dependencies, range, { forward: true, expected: expected * 2 })) {
        if (keep(user)) selection.add(user);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_SCANS }, scanWaiting));
  return selection.slice(window);
}
