import { type SortProperty, sortText } from '../keys.ts';
import type { User } from '../user.ts';
import type { Order } from './order.ts';
import type { Range } from './ranges.ts';
import { type ScanDependencies, scanRange, scanRun } from './scan.ts';
import { createSelection, type Selection, type Window } from './selection.ts';

/** Where a walk goes and what it keeps. `order` begins with the property that orders the range. */
export interface Walk {
  range: Range;
  order: Order;
  window: Window;
  keep: (user: User) => boolean;
  /** The fraction of the range's users that `keep` is expected to keep, above 0; 1 says that it keeps all. */
  selectivity: number;
  /** After how many entries to give up. */
  patience: number;
}

/** Thrown by a walk that passed more entries than it had patience for: what it looks for lies elsewhere. */
export class WalkGivenUp extends Error {}

async function* patiently(users: AsyncIterable<User>, patience: number): AsyncGenerator<User> {
  let passed = 0;
  for await (const user of users) {
    if (++passed > patience) throw new WalkGivenUp();
    yield user;
  }
}

/** Users with the same value of the leading property, in the order that the rest of the order gives them. */
interface Run {
  text: string;
  start: number;
  users: Selection;
}

/** What the rest of the order makes of a run, which an index holds by id in the direction of the walk. */
type RunOrder = 'as in the index' | 'backwards' | 'any';

export function runOrderOf([lead, next, ...more]: Order): RunOrder {
  if (lead.property === 'id' || !next) return 'as in the index';
  if (next.property !== 'id' || more.length > 0) return 'any';
  return next.direction === lead.direction ? 'as in the index' : 'backwards';
}

/** Those users of an iteration that pass, from the one at `start` up to the one before `end`. */
async function slice(
  users: AsyncIterable<User>,
  { start, end }: Window,
  keep: (user: User) => boolean,
): Promise<User[]> {
  const taken: User[] = [];
  if (end <= start) return taken;
  let position = 0;
  for await (const user of users) {
    if (!keep(user)) continue;
    if (position >= start) taken.push(user);
    if (++position >= end) break;
  }
  return taken;
}

/** The part of a window that lies in a run, counted from the run's start. */
const within = ({ start, end }: Window, run: Run): Window => ({
  start: Math.max(start - run.start, 0),
  end: end - run.start,
});

/** The order is the index's own: what comes before the window is passed over, unsent where nothing of it can be dropped. */
function walkStraight(
  dependencies: ScanDependencies,
  { range, order, window, keep, selectivity, patience }: Walk,
): Promise<User[]> {
  const forward = order[0].direction === 'asc';
  // A skip counts from the beginning of a stretch, so there must be only one.
  const skip = selectivity === 1 && (range.stretches?.length ?? 1) === 1 ? window.start : 0;
  const rest = { start: window.start - skip, end: window.end - skip };
  const users = scanRange(dependencies, range, { forward, skip, expected: rest.end / selectivity });
  return slice(patiently(users, patience), rest, keep);
}

/**
 * Runs of equal values are put into order before they are given. The last one, when it stands backwards (`name,desc`
 * with ids ascending), need not be read whole, because its other end is one Query away.
 */
async function walkInRuns(
  dependencies: ScanDependencies,
  { range, order, window, keep, selectivity, patience }: Walk,
): Promise<User[]> {
  const property: SortProperty = order[0].property;
  const forward = order[0].direction === 'asc';
  const isBackwards = runOrderOf(order) === 'backwards';
  const { end } = window;
  const page: User[] = [];
  let run: Run | undefined;
  let position = 0;
  const users = scanRange(dependencies, range, { forward, expected: (end + 1) / selectivity });
  for await (const user of patiently(users, patience)) {
    if (!keep(user)) continue;
    const text = sortText(user, property);
    if (run?.text !== text) {
      if (run) page.push(...run.users.slice(within(window, run)));
      if (position >= end) return page;
      run = { text, start: position, users: createSelection(order, end - position) };
    }
    if (position >= end && isBackwards) {
      const part = within(window, run);
      const fromItsEnd = scanRun(dependencies, range, {
        property,
        user,
        forward: !forward,
        expected: part.end / selectivity,
      });
      return [...page, ...(await slice(fromItsEnd, part, keep))];
    }
    run.users.add(user);
    position++;
  }
  return run ? [...page, ...run.users.slice(within(window, run))] : page;
}

/**
 * Follows a range in its order, or backwards, and gives the users of the window. Reads about end / selectivity entries,
 * at most twice as many, and the rest of the last run where its order is any.
 */
export const walk = (dependencies: ScanDependencies, query: Walk): Promise<User[]> =>
  runOrderOf(query.order) === 'as in the index' ? walkStraight(dependencies, query) : walkInRuns(dependencies, query);
