import { inParallel } from '../../parallel.ts';
import { matcherOf } from './criteria.ts';
import { type Gather, PARALLEL_READS, type UserQuery } from './plans.ts';
import { scan } from './scan.ts';
import { createSelection } from './selection.ts';
import type { Users } from './streams.ts';
import type { View } from './view.ts';

/** Reads whole lists, and sorts the matching users. */
export async function* gather(view: View, { criteria, order, skip, take }: UserQuery, { lists }: Gather): Users {
  const matches = matcherOf(criteria);
  const selection = createSelection(order, skip + take);
  await inParallel(lists, PARALLEL_READS, async (list) => {
    for await (const user of scan(view, list, { direction: 'asc', expected: Number.POSITIVE_INFINITY })) {
      if (matches(user)) selection.add(user);
    }
  });
  yield* selection.slice({ start: skip, end: skip + take });
}
