import { setImmediate } from 'node:timers/promises';
import { chunksOf } from '../../parallel.ts';
import { cutIntoSegments, cutIntoSums } from '../counts/cuts.ts';
import { countedDeltas, createSums, type MapDeltas } from '../counts/maps.ts';
import { mapOf } from '../counts/segments.ts';
import type { Database } from '../database.ts';
import { USERS_INDEXES, type UsersIndex } from '../indexes.ts';
import { filtersOf, partitionOf } from '../keys.ts';
import { keyIn, type List } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import { insertNodes, newNodes } from '../tree/make.ts';
import { addDeltas } from '../tree/rows.ts';
import type { Node, Tree } from '../tree/tree.ts';
import type { User } from '../user.ts';

/** After so many users, and after the maps that are written at once, timers can run: a hold has to be renewed. */
const USERS_AT_ONCE = 5_000;
const MAPS_AT_ONCE = 200;

/** What users add to the maps that have no order of users, or take from them. */
export async function countedMaps(users: readonly User[], sign: 1 | -1): Promise<MapDeltas[]> {
  const sums = createSums();
  for (const [i, user] of users.entries()) {
    if (i % USERS_AT_ONCE === 0) await setImmediate();
    sums.add(countedDeltas(user, sign));
  }
  return sums.maps();
}

/** The lists of an index, in the order of its partitions, and the users of each in its order. */
const listsIn = (index: UsersIndex, users: Iterable<User>): { list: List; users: User[] }[] =>
  [...Map.groupBy(users, (user) => partitionOf(index.filters, filtersOf(user)))]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([partition, own]) => {
      const keyed = own.map((user) => ({ key: keyIn(index, user), user }));
      keyed.sort((a, b) => compareCodePoints(a.key, b.key));
      return { list: { index, partition }, users: keyed.map(({ user }) => user) };
    });

/** The nodes of an index's segments, and of their sums. */
function segmentNodes(
  { sizes }: Database,
  tree: Tree,
  epoch: number,
  index: UsersIndex,
  users: readonly User[],
  buckets: readonly number[],
): Node[] {
  const segments = listsIn(index, users).map(({ list, users: own }) =>
    cutIntoSegments(list, undefined, own, sizes.segmentUsers, buckets),
  );
  const sums = segments.flatMap((own) => cutIntoSums(own, sizes.sumUsers));
  return [
    ...newNodes(tree, mapOf('segments', index), epoch, segments.flat()),
    ...newNodes(tree, mapOf('sums', index), epoch, sums),
  ];
}

/**
 * Writes all statistics of some users as a generation of its own, which nobody reads yet.
 *
 * @param epoch the head's epoch when the generation becomes the present one
 */
export async function buildGeneration(
  database: Database,
  tree: Tree,
  epoch: number,
  users: readonly User[],
  buckets: readonly number[],
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const counted = await countedMaps(users, 1);
  const steps = 1 + USERS_INDEXES.length;
  for (const some of chunksOf(counted, MAPS_AT_ONCE)) {
    await insertNodes(
      tree,
      some.flatMap(({ map, deltas }) => newNodes(tree, map, epoch, addDeltas([], deltas))),
    );
  }
  onProgress(1, steps);
  for (const [i, index] of USERS_INDEXES.entries()) {
    await setImmediate();
    await insertNodes(tree, segmentNodes(database, tree, epoch, index, users, buckets));
    onProgress(i + 2, steps);
  }
}
