import type { User } from '../user.ts';
import type { Order } from './order.ts';
import { type Partition, type ScanDependencies, scanIndex } from './scan.ts';
import { createSelection, type Selection } from './selection.ts';

export interface Gather {
  partitions: readonly Partition[];
  order: Order;
  /** How many of the first users to keep. */
  size: number;
  keep: (user: User) => boolean;
}

/** Reads partitions whole and keeps the first `size` users that pass; the memory it needs does not grow with the rest. */
export async function gather(
  dependencies: ScanDependencies,
  { partitions, order, size, keep }: Gather,
): Promise<Selection> {
  const selection = createSelection(order, size);
  for (const partition of partitions) {
    for await (const user of scanIndex(dependencies, partition, {
      forward: true,
      expected: Number.POSITIVE_INFINITY,
    })) {
      if (keep(user)) selection.add(user);
    }
  }
  return selection;
}
