import { addModulo } from '../hash.ts';
import type { UsersIndex } from '../indexes.ts';
import { filtersOf, partitionOf } from '../keys.ts';
import { keyIn, type List, listOf } from '../lists.ts';
import type { Member } from '../statistics/boundaries.ts';
import type { Entry } from '../statistics/packing.ts';
import { addDeltas } from '../statistics/page.ts';
import { rowsOf } from '../statistics/rows.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';

/** The maps of counts that folds would have made for some users. */
export function expectedMaps(users: Iterable<User>): Map<string, Entry[]> {
  const maps = new Map<string, Map<string, Map<string, number>>>();
  for (const user of users) {
    for (const { map, key, bucket, n } of rowsOf(user)) {
      const keys = maps.get(map) ?? new Map<string, Map<string, number>>();
      maps.set(map, keys);
      const counts = keys.get(key) ?? new Map<string, number>();
      keys.set(key, counts);
      counts.set(bucket, addModulo(counts.get(bucket) ?? 0, n));
    }
  }
  return new Map(
    [...maps].map(([map, keys]) => [
      map,
      addDeltas(
        [...keys].map(([key, counts]) => ({ key, counts })),
        [],
      ),
    ]),
  );
}

/** The lists of one index, with their members in order. */
export function expectedLists(users: Iterable<User>, index: UsersIndex): { list: List; members: Member[] }[] {
  const lists = new Map<string, { list: List; members: Member[] }>();
  for (const user of users) {
    const partition = partitionOf(index.filters, filtersOf(user));
    const known = lists.get(partition) ?? { list: listOf(index, filtersOf(user)), members: [] };
    lists.set(partition, known);
    known.members.push({ key: keyIn(known.list, user), user });
  }
  for (const { members } of lists.values()) members.sort((a, b) => compareCodePoints(a.key, b.key));
  return [...lists.values()];
}
