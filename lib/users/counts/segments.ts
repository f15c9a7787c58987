/**
 * Each list is cut into segments of at most 192 users, from its first user on. Two maps for each index: `segments`, and `sums`,
 * whose rows stand for the segments of up to 16,000 users each. They tell how many users are before a key (rank), and which key is at a rank
 * (select), from two nodes and part of a segment.
 *
 * A key is the partition, and then the index's own key: the lists of an index share nodes, but no segment.
 *
 * | Bucket | |
 * |---|---|
 * | `n` | how many users a segment has |
 * | `h` | the sum of their hashes: a segment is cut by what an index says only if that is the same, as an index may be late |
 * | `s=active` | how many have a value that has no list of its own in this order; `s+`: how many have values that are not listed |
 * | `in latin` | how many have a last name with letters of a script |
 */
import {
  EXACT_FIELDS,
  type ExactField,
  FIELDS,
  FIELDS_LISTED_IN_EVERY_ORDER,
  isExactField,
  isOrderedByText,
} from '../fields.ts';
import { hash48 } from '../hash.ts';
import { USERS_INDEXES, type UsersIndex } from '../indexes.ts';
import type { Journal } from '../journal/journal.ts';
import { AFTER_SEPARATOR, encodeOptional, filtersOf, partitionOf, SEPARATOR } from '../keys.ts';
import { keyIn, type List, type Range } from '../lists.ts';
import { compareCodePoints, foldCase } from '../text.ts';
import { NODES_PER_UNIT } from '../tree/nodes.ts';
import { readRanges } from '../tree/read.ts';
import { addTo, type Delta, type Ranges, type Row } from '../tree/rows.ts';
import { FIRST_BOUND, type Tree, type TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { overlayOf } from './overlay.ts';
import { scriptsIn } from './scripts.ts';

export type Level = 'segments' | 'sums';

export const LEVELS: readonly Level[] = ['segments', 'sums'];

export const USERS = 'n';
export const CHECKSUM = 'h';

/** The fields that are counted in the lists of an index: their values have no lists in this order. */
const countedIn = ({ order, filters }: UsersIndex): readonly ExactField[] =>
  EXACT_FIELDS.filter(
    (field) => field !== order && !filters.includes(field) && !FIELDS_LISTED_IN_EVERY_ORDER.includes(field),
  );

export const isCountedIn = (index: UsersIndex, field: ExactField): boolean => countedIn(index).includes(field);

const prefixOf = (field: ExactField): string => `${FIELDS[field].short}=`;
/** The bucket for a field's values that a row does not list. */
export const othersOf = (field: ExactField): string => `${FIELDS[field].short}+`;

/** Names of one script are neighbours only where names give the order: elsewhere it is of no use to count scripts. */
export const countsScripts = ({ order }: UsersIndex): boolean => isOrderedByText(order) && !isExactField(order);

export const bucketOfScript = (script: string): string => `in ${script}`;

/** A row lists at most this many values of a field: a stage may have thousands. */
const MOST_VALUES = 24;

/** The field of a bucket that counts a value, if it is one. */
export const fieldOf = (bucket: string): ExactField | undefined =>
  EXACT_FIELDS.find((field) => bucket.startsWith(prefixOf(field)));

function add(counts: Map<string, number>, bucket: string, n: number): void {
  const field = fieldOf(bucket);
  const isOther = field && !counts.has(bucket) && (counts.get(othersOf(field)) ?? 0) > 0;
  addTo(counts, isOther ? othersOf(field) : bucket, n);
}

/** The rarest values join the others. */
function settle(counts: Map<string, number>): void {
  for (const field of EXACT_FIELDS) {
    const listed = [...counts].filter(([bucket, n]) => n !== 0 && fieldOf(bucket) === field);
    if (listed.length <= MOST_VALUES) continue;
    listed.sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b));
    for (const [bucket, n] of listed.slice(MOST_VALUES)) {
      counts.delete(bucket);
      addTo(counts, othersOf(field), n);
    }
  }
}

/** What stands before the keys of a list in the maps of its index. */
const startOfList = ({ index, partition }: List): string =>
  index.filters.length === 0 ? '' : `${partition}${SEPARATOR}`;

const rangesOf = ({ filters }: UsersIndex): Ranges => ({
  add,
  settle,
  startOf(key) {
    let end = 0;
    for (let parts = 0; parts < filters.length; parts++) end = key.indexOf(SEPARATOR, end) + 1;
    return key.slice(0, end) || FIRST_BOUND;
  },
});

type RangesMap = TreeMap & { ranges: Ranges };

const MAPS = new Map(
  USERS_INDEXES.flatMap((index) =>
    LEVELS.map((level): [string, { index: UsersIndex; level: Level; map: RangesMap }] => {
      const name = `${level}:${index.name}`;
      return [name, { index, level, map: { name, ranges: rangesOf(index) } }];
    }),
  ),
);

/** All maps of segments and sums. */
export const SEGMENT_MAPS = [...MAPS.values()];

export const mapOf = (level: Level, index: UsersIndex): RangesMap =>
  MAPS.get(`${level}:${index.name}`)?.map as RangesMap;

/** The list that a row stands in. */
export function listAt(index: UsersIndex, key: string): List {
  const start = index.filters.length === 0 ? '' : rangesOf(index).startOf(key);
  return { index, partition: start === '' ? partitionOf([], {}) : start.slice(0, -1) };
}

/** The key of a list's bound in the maps of its index. */
export const keyOf = (list: List, from: string | undefined): string => startOfList(list) + (from ?? '') || FIRST_BOUND;

/** What a segment counts of one user. The checksum is over all of it. */
function bucketsOf(index: UsersIndex, key: string, user: User): [bucket: string, n: number][] {
  const values = countedIn(index).flatMap((field) =>
    user[field] === undefined ? [] : [prefixOf(field) + encodeOptional(user[field])],
  );
  const scripts = countsScripts(index) ? scriptsIn(foldCase(user.lastName ?? '')).map(bucketOfScript) : [];
  const buckets = [...values, ...scripts];
  return [
    [USERS, 1],
    [CHECKSUM, hash48([key, ...buckets].join(SEPARATOR))],
    ...buckets.map((bucket): [string, number] => [bucket, 1]),
  ];
}

/** The numbers that a user adds to the maps of an index. */
export function segmentDeltas(index: UsersIndex, user: User, sign: 1 | -1): Delta[] {
  const start = startOfList({ index, partition: partitionOf(index.filters, filtersOf(user)) });
  const key = keyIn(index, user);
  return bucketsOf(index, key, user).map(([bucket, n]) => ({ key: start + key, bucket, n: sign * n }));
}

/** What a user adds to the maps of some indexes. */
export const orderedDeltas = (user: User, sign: 1 | -1, indexes: readonly string[]) =>
  USERS_INDEXES.filter(({ name }) => indexes.includes(name)).flatMap((index) => {
    const deltas = segmentDeltas(index, user, sign);
    return LEVELS.map((level) => ({ map: mapOf(level, index), deltas }));
  });

/** A segment, or the sum of several. The first begins where the list begins, and the last ends where the list ends. */
export interface Segment extends Range {
  users: number;
  counts: ReadonlyMap<string, number>;
}

/** The bound of a list that is a key of its index's maps; undefined for the list's ends. */
function boundIn(list: List, key: string | undefined): string | undefined {
  const start = startOfList(list);
  return key?.startsWith(start) && key !== start && key !== FIRST_BOUND ? key.slice(start.length) : undefined;
}

/** @param next the key of the row after it, if there is one */
export const toSegment = (list: List, { key, counts }: Row, next?: string): Segment => ({
  from: boundIn(list, key),
  to: boundIn(list, next),
  users: counts.get(USERS) ?? 0,
  counts,
});

/** A part of a list, and how many users it has, if that is known. Parts of segments go from one sum to another. */
export interface Part extends Range {
  users?: number;
}

/**
 * About how many users of the benchmark have their segments in one node. With longer keys, more statuses or many small lists it is fewer:
 * then the other nodes take another query.
 */
const USERS_PER_NODE = 2_500;

/** The node that a list begins in, and the nodes of its users: as many as the same units cover. */
const nodesFor = (users = 0): number => NODES_PER_UNIT * Math.ceil((1 + users / USERS_PER_NODE) / NODES_PER_UNIT);

/**
 * The segments of a list, or their sums, that stand for a part of it, with the journal.
 *
 * @throws {JournalMoved} when a node is newer than the journal
 */
export async function readSegments(
  tree: Tree,
  journal: Journal,
  level: Level,
  list: List,
  { from, to, users }: Part,
): Promise<Segment[]> {
  const { index } = list;
  const start = startOfList(list);
  const end = to === undefined ? start.replace(/\0$/, AFTER_SEPARATOR) || undefined : keyOf(list, to);
  const stretch = { from: keyOf(list, from), to: end, nodes: nodesFor(users) };
  const overlay = overlayOf(journal, (user, sign) => segmentDeltas(index, user, sign));
  const { rows, next } = await readRanges(tree, mapOf(level, index), stretch, overlay);
  return rows.map((row, i) => toSegment(list, row, rows[i + 1]?.key ?? next));
}

/** Values that users must have, any of several for each field. */
export type Wanted = Readonly<Partial<Record<ExactField, readonly string[]>>>;

/** What stands for no value. */
const MISSING = encodeOptional(undefined);

/** How many users of a segment have no value of a field: all, less the users with a listed value, less the users with another value. */
function countWithout({ users, counts }: Segment, field: ExactField): number {
  const some = [...counts].filter(([bucket]) => bucket.startsWith(prefixOf(field)) || bucket === othersOf(field));
  return some.reduce((rest, [, n]) => rest - n, users);
}

/** How many users of a segment have wanted values, at least and at most. */
export function countIn(segment: Segment, wanted: Wanted): [least: number, most: number] {
  const { users, counts } = segment;
  let bounds: [number, number] = [users, users];
  const fields = Object.entries(wanted) as [ExactField, readonly string[]][];
  for (const [field, values] of fields) {
    const numbers = values.map((value) =>
      value === MISSING ? countWithout(segment, field) : counts.get(prefixOf(field) + value),
    );
    const least = numbers.reduce<number>((sum, n = 0) => sum + n, 0);
    const others = numbers.includes(undefined) ? (counts.get(othersOf(field)) ?? 0) : 0;
    bounds = [Math.max(0, bounds[0] + least - users), Math.min(bounds[1], least + others)];
  }
  return bounds;
}

/** At most how many users of a segment have last names with letters of all these scripts. */
export const mostWith = ({ users, counts }: Segment, scripts: readonly string[]): number =>
  Math.min(users, ...scripts.map((script) => counts.get(bucketOfScript(script)) ?? 0));

/** The sum of some rows, at the key of the first. */
export function sumOf(rows: readonly Row[]): Row {
  const counts = new Map<string, number>();
  // Values that are listed in one row only may be among the others of the next.
  const hidden = EXACT_FIELDS.filter((field) => rows.some((row) => row.counts.has(othersOf(field))));
  for (const row of rows) {
    for (const [bucket, n] of row.counts) {
      const field = fieldOf(bucket);
      const isSure =
        !field ||
        !hidden.includes(field) ||
        rows.every((each) => each.counts.has(bucket) || !each.counts.has(othersOf(field)));
      addTo(counts, isSure ? bucket : othersOf(field), n);
    }
  }
  settle(counts);
  return { key: rows[0]?.key ?? '', counts };
}

export const isEqual = (a: Row, b: Row): boolean =>
  [USERS, CHECKSUM].every((bucket) => (a.counts.get(bucket) ?? 0) === (b.counts.get(bucket) ?? 0));

/** The row of some users, from a bound of their list. */
export function rowOfUsers(list: List, from: string | undefined, users: readonly User[]): Row {
  const { index } = list;
  const counts = new Map<string, number>();
  for (const user of users) {
    for (const [bucket, n] of bucketsOf(index, keyIn(index, user), user)) addTo(counts, bucket, n);
  }
  settle(counts);
  return { key: keyOf(list, from), counts };
}
