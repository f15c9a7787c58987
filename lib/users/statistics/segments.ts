import type { Database } from '../database.ts';
import { hash48 } from '../hash.ts';
import type { Change } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { contains, keyIn, type List, listsOf } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { visitCounts } from './counts.ts';
import { CHECKSUM, COUNT } from './members.ts';
import type { Row } from './rows.ts';

/**
 * A list that has grown is cut into segments, whose lower bounds are the keys of a map; their counts tell ranks. Level 1
 * has segments of about a hundred users. Level 2 sums up some dozens of these; only lists with many segments have it.
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

/** The hash of a user in the checksum of a segment. The key contains the id. */
export const keyHash = (key: string): number => hash48(key);

const rowsFor = (map: string, key: string): Row[] => [
  { map, key, bucket: COUNT, n: 1 },
  { map, key, bucket: CHECKSUM, n: keyHash(key) },
];

/** The counts of segments that include a user, by the user's key: it belongs to the last segment that is not above it. */
export const segmentRowsIn =
  (level: Level, list: List) =>
  (user: User): Row[] =>
    contains(list, user) ? rowsFor(segmentsMap(level, list), keyIn(list, user)) : [];

/** The numbers that a change adds to the counts of segments. A list in which the user keeps its key does not change. */
export function segmentChanges({ before, after }: Change, levelOf: LevelOf): [Row, sign: 1 | -1][] {
  const placesOf = (user: User | undefined) =>
    new Map(
      (user ? listsOf(user) : []).map((list) => [idOf(list) + keyIn(list, user as User), { list, user: user as User }]),
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
  const recent: { key: string; n: number }[] = [];
  const map = segmentsMap(level, list);
  const range = { map, from, to, rowsOf: segmentRowsIn(level, list) };
  await visitCounts(
    database,
    journal,
    range,
    (key, bucket, n) => {
      if (bucket === COUNT && key !== to) segments.push({ from: key, users: n });
    },
    (key, bucket, n) => {
      if (bucket === COUNT && key !== to) recent.push({ key, n });
    },
  );
  for (const { key, n } of recent) {
    const segment = segments.findLast((each) => compareCodePoints(each.from, key) <= 0);
    if (segment) segment.users += n;
  }
  return segments;
}
