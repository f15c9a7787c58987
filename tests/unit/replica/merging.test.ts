import { expect, test } from 'vitest';
import {
  type Compaction,
  compaction,
  type Kinds,
  pageOf,
  type Row,
  replicaFrom,
  withChanges,
} from '../../../lib/columns/index.ts';
import { createMerging } from '../../../lib/replica/merging.ts';
import { LIMITS } from '../../../lib/users/database.ts';

const KINDS: Kinds = { name: 'text', status: 'exact', age: 'number' };
const limits = { ...LIMITS, mergeLeast: 2, mergeShare: 0, mergeSteps: 5 };

/** A clock that stands still: only steps are counted. */
const AT_REST = { monotonic: () => 0 };

const ann = (id: number): Row => ({ id, name: `Ann ${id}` });
const base = replicaFrom(KINDS, [ann(1), ann(2), ann(3)]);
const changed = withChanges(base, [
  [1, undefined],
  [4, ann(4)],
  [5, ann(5)],
]);
const idsOf = (replica: typeof base) =>
  pageOf(replica, {}, [{ property: 'id', descending: false }], 0, 9).rows.map(({ id }) => id);

function stepsOf({ next }: Compaction): number {
  let steps = 1;
  while (!next()) steps++;
  return steps;
}

/** How many steps the compaction of a replica has. */
const STEPS = stepsOf(compaction(changed));

/** How many requests it takes until the base is another one. */
function requestsUntilMerged(news: number, own = limits, clock = AT_REST): number {
  const advance = createMerging(own, clock);
  let requests = 1;
  while (advance(changed, news).base === base.base) requests++;
  return requests;
}

test('a merge goes on by a few steps a request', () => {
  expect(STEPS).toBeGreaterThan(20);
  expect(requestsUntilMerged(0)).toBe(Math.ceil(STEPS / 5));
});

test('changes that come meanwhile bring a step for each 64 of them with them, so that it ends', () => {
  expect(requestsUntilMerged(640)).toBe(Math.ceil(STEPS / 14));
  expect(requestsUntilMerged(640, { ...limits, mergeSteps: 0 })).toBe(Math.ceil(STEPS / 10));
});

test('a request whose steps take long makes one', () => {
  let time = 0;
  const slow = { monotonic: () => (time += 10) };
  expect(requestsUntilMerged(0, limits, slow)).toBe(STEPS);
});

test('changes in its course are in what it makes, and only they have changed there', () => {
  const advance = createMerging({ ...limits, mergeSteps: STEPS - 1 }, AT_REST);
  expect(advance(changed, 0)).toBe(changed);
  const later = withChanges(changed, [
    [1, ann(1)],
    [5, undefined],
  ]);
  const next = advance(later, 0);
  expect([idsOf(next), next.changed]).toEqual([[1, 2, 3, 4], 2]);
  expect(advance(next, 0)).toBe(next);
});

test('an earlier state, for which a request goes on with the merge of a later one, stays what it was', () => {
  const earlier = withChanges(base, [[4, ann(4)]]);
  const later = withChanges(earlier, [
    [5, ann(5)],
    [6, ann(6)],
  ]);
  const advance = createMerging({ ...limits, mergeLeast: 0, mergeSteps: STEPS - 1 }, AT_REST);
  advance(later, 0);
  const next = advance(earlier, 0);
  expect(next.base).not.toBe(base.base);
  expect(idsOf(next)).toEqual([1, 2, 3, 4]);
});

test('another base has a merge of its own, and few changes have none', () => {
  const advance = createMerging({ ...limits, mergeSteps: STEPS - 1 }, AT_REST);
  advance(changed, 0);
  const other = withChanges(replicaFrom(KINDS, [ann(7)]), [[8, ann(8)]]);
  expect(advance(other, 0)).toBe(other);
  expect(advance(changed, 0)).toBe(changed);
});
