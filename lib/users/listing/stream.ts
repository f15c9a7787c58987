import { INDEX_OF_PROPERTY, sortText } from '../keys.ts';
import type { Cell } from '../statistics/cells.ts';
import type { User } from '../user.ts';
import { groupsOfMarks, inOrder } from './groups.ts';
import { type Order, totalOrder } from './order.ts';
import { candidatesOf, type Range, rangeInOrderOf } from './ranges.ts';
import { type ScanDependencies, scanRange, scanRun } from './scan.ts';
import { runOrderOf } from './walk.ts';

/** Users one after another; no more of them are held than a page of DynamoDB and the longest run that is turned round. */
export type UserStream = (dependencies: ScanDependencies) => AsyncGenerator<User>;

/** A run that is longer is read again from its other end instead of being held. */
const LONGEST_HELD_RUN = 1_000;

/** Entries a page: two pages are held while one follows the other, and a page of 1 MB would be 6,000 users. */
const PAGE = 1_000;

/** The order is the index's own but for the runs of equal values, each of which stands backwards. */
const turnRunsRound = (range: Range, [lead]: Order): UserStream =>
  async function* (dependencies) {
    const { property, direction } = lead;
    const forward = direction === 'asc';
    let run: User[] = [];
    async function* turned(): AsyncGenerator<User> {
      const [user] = run;
      if (user && run.length > LONGEST_HELD_RUN)
        yield* scanRun(dependencies, range, { property, user, forward: !forward, expected: PAGE });
      else yield* run.reverse();
    }
    for await (const user of scanRange(dependencies, range, { forward, expected: PAGE })) {
      if (run[0] && sortText(run[0], property) !== sortText(user, property)) {
        yield* turned();
        run = [];
      }
      if (run.length <= LONGEST_HELD_RUN) run.push(user);
    }
    yield* turned();
  };

/** Several streams by id as one. */
async function* mergeById(streams: AsyncGenerator<User>[], forward: boolean): AsyncGenerator<User> {
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, next: await stream.next() })));
  for (;;) {
    const waiting = heads.flatMap((head) => (head.next.done ? [] : [{ head, user: head.next.value }]));
    const [first] = waiting.sort((a, b) => (forward ? a.user.id - b.user.id : b.user.id - a.user.id));
    if (!first) return;
    yield first.user;
    first.head.next = await first.head.stream.next();
  }
}

/** Sorted by status or country, then by id: one partition after another, those of values that differ in case together. */
const byPartition = (property: 'status' | 'country', order: Order, cells: readonly Cell[]): UserStream =>
  async function* (dependencies) {
    const forward = order[1]?.direction !== 'desc';
    for (const { restriction } of inOrder(groupsOfMarks(property, {}, cells), order[0].direction)) {
      const ranges = candidatesOf(restriction, cells)[0]?.ranges ?? [];
      yield* mergeById(
        ranges.map((range) => scanRange(dependencies, range, { forward, expected: PAGE })),
        forward,
      );
    }
  };

/** All users in an order that an index has; undefined where they must be sorted in memory. */
export function streamInOrder(order: Order, cells: readonly Cell[]): UserStream | undefined {
  const [{ property, direction }, ...rest] = order;
  if (property === 'status' || property === 'country') {
    return totalOrder(rest)[0].property === 'id' ? byPartition(property, order, cells) : undefined;
  }
  const range = INDEX_OF_PROPERTY[property] && rangeInOrderOf(property, {});
  const runOrder = runOrderOf(order);
  if (!range || runOrder === 'any') return undefined;
  if (runOrder === 'backwards') return turnRunsRound(range, order);
  return (dependencies) => scanRange(dependencies, range, { forward: direction === 'asc', expected: PAGE });
}
