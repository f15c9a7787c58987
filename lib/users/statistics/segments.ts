import type { Database } from '../database.ts';
import { isExactField, isOrderedByText } from '../fields.ts';
import { hash48 } from '../hash.ts';
import type { Change } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { SEPARATOR } from '../keys.ts';
import { contains, keyIn, type List, listsOf } from '../lists.ts';
import { compareCodePoints, foldCase } from '../text.ts';
import type { User } from '../user.ts';
import { visitCounts } from './counts.ts';
import { CHECKSUM, COUNT } from './members.ts';
import type { Row } from './rows.ts';
import { scriptsIn } from './scripts.ts';

/**
 * A list that has grown is cut into segments, whose lower bounds are the keys of a map; their counts tell ranks. Level 1
 * has segments of about 150 users. Level 2 adds up about as many of these; only lists with a thousand segments have it.
 */
export type Level = 1 | 2;

const LEVELS: readonly Level[] = [1, 2];

/** The highest level of the segments of a list; 0 for a list that is not cut. */
export type LevelOf = (list: List) => Level | 0;

const idOf = ({ index, partition }: List): string => `${index.name}:${partition}`;

export const segmentsMap = (level: Level, list: List): string => `segments${level}:${idOf(list)}`;

/** The map of all lists that have segments, and of their highest levels. */
export const SEGMENTED = 'segmented';

/**
 * Where a list stands in that map: with all lists of its partition, each in the bucket of its index. Keys must not begin with
 * other keys and a separator, as partitions of several filters do: their order would differ from that of positions.
 */
export const segmentedAt = ({ index, partition }: List) => ({
  key: `${index.filters.join(',')}:${partition}`,
  bucket: index.name,
});

/** Names of one script are neighbours only where names give the order: elsewhere it is of no use to count scripts. */
export const countsScripts = ({ index }: List): boolean => isOrderedByText(index.order) && !isExactField(index.order);

/** The scripts of a user's last name, in which searches look for their keywords. */
const scriptsOf = (list: List, { lastName = '' }: User): readonly string[] =>
  countsScripts(list) ? scriptsIn(foldCase(lastName)) : [];

/** The bucket of the users whose last names have letters of a script. */
export const bucketOf = (script: string): string => `in ${script}`;

/** The size that a cut aims at, with room to grow. */
export const aimOf = (most: number): number => Math.max(1, Math.floor(most * 0.75));

/** Whether a list of so many users probably has no sums. All of its segments are read, even if it has some. */
export const hasFewSegments = ({ sizes }: Database, users: number): boolean =>
  users <= aimOf(sizes.fewSegments) * aimOf(sizes.segmentUsers);

/** What a segment counts of one user: the checksum is over the key, which contains the id, and the scripts. */
export function countsIn(list: List, user: User): [bucket: string, n: number][] {
  const key = keyIn(list, user);
  const buckets = scriptsOf(list, user).map(bucketOf);
  return [
    [COUNT, 1],
    [CHECKSUM, hash48([key, ...buckets].join(SEPARATOR))],
    ...buckets.map((bucket): [string, number] => [bucket, 1]),
  ];
}

/** The counts of segments that include a user, by the user's key: it belongs to the last segment that is not above it. */
export const segmentRowsIn =
  (level: Level, list: List) =>
  (user: User): Row[] => {
    if (!contains(list, user)) return [];
    const place = { map: segmentsMap(level, list), key: keyIn(list, user) };
    return countsIn(list, user).map(([bucket, n]) => ({ ...place, bucket, n }));
  };

/** The numbers that a change adds to the counts of segments. A list in which a user counts as before does not change. */
export function segmentChanges({ before, after }: Change, levelOf: LevelOf): [Row, sign: 1 | -1][] {
  const placesOf = (user: User | undefined) =>
    new Map(
      (user ? listsOf(user) : []).map((list) => [
        [idOf(list), keyIn(list, user as User), ...scriptsOf(list, user as User)].join(SEPARATOR),
        { list, user: user as User },
      ]),
    );
  const [left, entered] = [placesOf(before), placesOf(after)];
  const rows = (places: typeof left, others: typeof left, sign: 1 | -1): [Row, 1 | -1][] =>
    [...places]
      .filter(([place]) => !others.has(place))
      .flatMap(([, { list, user }]) => {
        const levels = LEVELS.filter((level) => level <= levelOf(list));
        return levels.flatMap((level) => segmentRowsIn(level, list)(user));
      })
      .map((row) => [row, sign]);
  return [...rows(left, entered, -1), ...rows(entered, left, 1)];
}

/** A segment, or the sum of several. */
export interface Segment {
  /** Its lower bound; it ends where the next begins. */
  from: string;
  users: number;
  /** How many of them have a last name with letters of a script, by bucket. */
  byScript: Map<string, number>;
}

/** Those of some segments that a reader gets from one bound to another: the first may begin before. */
export function segmentsWithin(segments: readonly Segment[], from: string, to: string | undefined): Segment[] {
  const first = segments.findLastIndex((segment) => compareCodePoints(segment.from, from) <= 0);
  return segments
    .slice(Math.max(0, first))
    .filter((segment) => to === undefined || compareCodePoints(segment.from, to) < 0);
}

/**
 * The segments from one bound to another, that one not included, in order, with the journal included. There are none for
 * a list that is not cut, or while it is repaired.
 */
export async function readSegments(
  database: Database,
  journal: Journal,
  list: List,
  level: Level,
  { from, to }: { from: string; to: string | undefined },
): Promise<Segment[]> {
  const segments: Segment[] = [];
  const add = (segment: Segment, bucket: string, n: number) => {
    if (bucket === COUNT) segment.users += n;
    else if (bucket !== CHECKSUM) segment.byScript.set(bucket, (segment.byScript.get(bucket) ?? 0) + n);
  };
  const recent: { key: string; bucket: string; n: number }[] = [];
  const map = segmentsMap(level, list);
  const range = { map, from, to, rowsOf: segmentRowsIn(level, list) };
  await visitCounts(
    database,
    journal,
    range,
    (key, bucket, n) => {
      if (key === to) return;
      if (segments.at(-1)?.from !== key) segments.push({ from: key, users: 0, byScript: new Map() });
      const segment = segments.at(-1);
      if (segment) add(segment, bucket, n);
    },
    (key, bucket, n) => {
      if (key !== to) recent.push({ key, bucket, n });
    },
  );
  for (const { key, bucket, n } of recent) {
    const segment = segments.findLast((each) => compareCodePoints(each.from, key) <= 0);
    if (segment) add(segment, bucket, n);
  }
  return segments;
}
