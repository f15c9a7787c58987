import { type SortProperty, sortText } from '../keys.ts';
import type { User } from '../user.ts';
import type { Order } from './order.ts';
import { type Partition, type ScanDependencies, scanIndex, scanRun } from './scan.ts';
import { createSelection, type Selection, type Window } from './selection.ts';

/** Where a walk goes and what it keeps. `order` begins with the property that orders the partition. */
export interface Walk {
  partition: Partition;
  order: Order;
  window: Window;
  keep: (user: User) => boolean;
  /** The fraction of the partition's users that `keep` is expected to keep, above 0. */
  selectivity: number;
}

/** Users with the same value of the leading property, in the order that the rest of the order gives them. */
interface Run {
  text: string;
  start: number;
  users: Selection;
}

/** What the rest of the order makes of a run, which an index holds by id in the direction of the walk. */
type RunOrder = 'as in the index' | 'backwards' | 'any';

function runOrder([lead, next, ...more]: Order): RunOrder {
  if (lead.property === 'id' || !next) return 'as in the index';
  if (next.property !== 'id' || more.length > 0) return 'any';
  return next.direction === lead.direction ? 'as in the index' : 'backwards';
}

/** The first `count` users of an iteration that pass. */
async function take(users: AsyncIterable<User>, count: number, keep: (user: User) => boolean): Promise<User[]> {
  const taken: User[] = [];
  if (count <= 0) return taken;
  for await (const user of users) {
    if (keep(user)) taken.push(user);
    if (taken.length >= count) break;
  }
  return taken;
}

/** The part of a window that lies in a run, counted from the run's start. */
const within = ({ start, end }: Window, run: Run): Window => ({
  start: Math.max(start - run.start, 0),
  end: end - run.start,
});

/**
 * Follows an index and gives the users of the window. A run of equal values that overlaps the window is put into order
 * before it is given; only when it is the last one and stands backwards (`name,desc` with ids ascending) it need not be
 * read whole, because its other end is one Query away. Reads about 2 · end / selectivity entries at most, and the rest
 * of the last run where its order is any.
 */
export async function walk(
  dependencies: ScanDependencies,
  { partition, order, window, keep, selectivity }: Walk,
): Promise<User[]> {
  const property: SortProperty = order[0].property;
  const forward = order[0].direction === 'asc';
  const inRuns = runOrder(order);
  const { start, end } = window;
  const expected = (entries: number) => entries / selectivity;

  if (inRuns === 'as in the index') {
    const users = scanIndex(dependencies, partition, { forward, expected: expected(end) });
    return (await take(users, end, keep)).slice(start);
  }

  const page: User[] = [];
  let run: Run | undefined;
  let position = 0;
  for await (const user of scanIndex(dependencies, partition, { forward, expected: expected(end + 1) })) {
    if (!keep(user)) continue;
    const text = sortText(user, property);
    if (run?.text !== text) {
      if (run) page.push(...run.users.slice(within(window, run)));
      if (position >= end) return page;
      run = { text, start: position, users: createSelection(order, end - position) };
    }
    if (position >= end && inRuns === 'backwards') {
      const { start: skip, end: needed } = within(window, run);
      const options = { property, user, forward: !forward, expected: expected(needed) };
      return [...page, ...(await take(scanRun(dependencies, partition, options), needed, keep)).slice(skip)];
    }
    run.users.add(user);
    position++;
  }
  return run ? [...page, ...run.users.slice(within(window, run))] : page;
}
