/**
 * Each list is cut into segments of at most 192 users, from its first user on. Two maps for each index: `segments`, and `sums`, whose rows
 * stand for up to 8,000 users each. They tell the rank of a key, and the key at a rank, from two nodes and part of a segment.
 *
 * A key is the partition, and then the index's own key: the lists of an index share nodes, but no segment.
 *
 * | Bucket | |
 * |---|---|
 * | `n` | how many users a segment has |
 * | `h` | the sum of their hashes: a segment is cut by what an index says only if that is the same, as an index may be late |
 * | `s=active` | how many have a value that has no list of its own in this order; `s+`: how many have values without a bucket |
 * | `in latin` | how many have a last name with letters of a script |
 *
 * The head says which values have a bucket: a stage may have thousands. A value gets one only while nobody who is counted has it, so what a
 * bucket has is exact.
 */
import { memoized } from '../../memoized.ts';
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
import type { Head } from '../journal/head.ts';
import type { Journal } from '../journal/journal.ts';
import { AFTER_SEPARATOR, encodeOptional, filtersOf, partitionOf, SEPARATOR } from '../keys.ts';
import { keyIn, type List, type Range } from '../lists.ts';
import type { Sizes } from '../sizes.ts';
import { foldCase } from '../text.ts';
import { NODES_PER_UNIT } from '../tree/nodes.ts';
import { readRanges } from '../tree/read.ts';
import { addTo, type Delta, type Row } from '../tree/rows.ts';
import { FIRST_BOUND, type RangesMap, type Tree } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { overlayOf } from './overlay.ts';
import { scriptsIn } from './scripts.ts';
import { USERS, usersIn } from './users.ts';

export type Level = 'segments' | 'sums';

export const LEVELS: readonly Level[] = ['segments', 'sums'];

const CHECKSUM = 'h';

const COUNTED_FIELDS = EXACT_FIELDS.filter((field) => !FIELDS_LISTED_IN_EVERY_ORDER.includes(field));

/** The fields that are counted in the lists of an index: their values have no lists in this order. */
const countedIn = ({ order, filters }: UsersIndex): readonly ExactField[] =>
  COUNTED_FIELDS.filter((field) => field !== order && !filters.includes(field));

export const isCountedIn = (index: UsersIndex, field: ExactField): boolean => countedIn(index).includes(field);

const prefixOf = (field: ExactField): string => `${FIELDS[field].short}=`;
/** The bucket for a field's values that have none. */
const othersOf = (field: ExactField): string => `${FIELDS[field].short}+`;

/** The buckets that count a user's values, if these have buckets. */
const valuesOf = (user: User, fields: readonly ExactField[]): { field: ExactField; bucket: string }[] =>
  fields.flatMap((field) =>
    user[field] === undefined ? [] : [{ field, bucket: prefixOf(field) + encodeOptional(user[field]) }],
  );

/** Names of one script are neighbours only where names give the order: elsewhere it is of no use to count scripts. */
export const countsScripts = ({ order }: UsersIndex): boolean => isOrderedByText(order) && !isExactField(order);

const bucketOfScript = (script: string): string => `in ${script}`;

/** Stands for a bucket in the head, which every list reads: a value may be long, or of nobody any more. */
const hashOf = memoized(hash48);

/** Hashes of the buckets for values: those that there are, and then those of the values that most of some users have. */
export function bucketsFor({ countedValues }: Sizes, users: readonly User[], known: readonly number[] = []): number[] {
  const hashes = users.flatMap((user) => valuesOf(user, COUNTED_FIELDS).map(({ bucket }) => hashOf(bucket)));
  const byUsers = [...Map.groupBy(hashes, (hash) => hash)]
    .sort(([a, some], [b, others]) => others.length - some.length || a - b)
    .map(([hash]) => hash);
  return [...new Set([...known, ...byUsers])].slice(0, countedValues);
}

/** What stands before the keys of a list in the maps of its index. */
const startOfList = ({ index, partition }: List): string =>
  index.filters.length === 0 ? '' : `${partition}${SEPARATOR}`;

function startOf({ filters }: UsersIndex, key: string): string {
  let end = 0;
  for (let parts = 0; parts < filters.length; parts++) end = key.indexOf(SEPARATOR, end) + 1;
  return key.slice(0, end) || FIRST_BOUND;
}

/** All maps of segments and sums, by their names. */
export const SEGMENT_MAPS = new Map(
  USERS_INDEXES.flatMap((index) =>
    LEVELS.map((level): [string, { index: UsersIndex; level: Level; map: RangesMap }] => {
      const name = `${level}:${index.name}`;
      return [name, { index, level, map: { name, startOf: (key) => startOf(index, key) } }];
    }),
  ),
);

export const mapOf = (level: Level, index: UsersIndex): RangesMap =>
  SEGMENT_MAPS.get(`${level}:${index.name}`)?.map as RangesMap;

/** The list that a row stands in. */
export function listAt(index: UsersIndex, key: string): List {
  const start = index.filters.length === 0 ? '' : startOf(index, key);
  return { index, partition: start === '' ? partitionOf([], {}) : start.slice(0, -1) };
}

/** The key of a list's bound in the maps of its index. */
export const keyOf = (list: List, from: string | undefined): string => startOfList(list) + (from ?? '') || FIRST_BOUND;

/** What a segment counts of one user. The checksum is over all of it, whichever values have buckets. */
function bucketsOf(index: UsersIndex, key: string, user: User, buckets: readonly number[]) {
  const values = valuesOf(user, countedIn(index));
  const scripts = countsScripts(index) ? scriptsIn(foldCase(user.lastName ?? '')).map(bucketOfScript) : [];
  const counted = values.map(({ field, bucket }) => (buckets.includes(hashOf(bucket)) ? bucket : othersOf(field)));
  return [
    [USERS, 1],
    [CHECKSUM, hash48([key, ...values.map(({ bucket }) => bucket), ...scripts].join(SEPARATOR))],
    ...[...counted, ...scripts].map((bucket) => [bucket, 1]),
  ] as [bucket: string, n: number][];
}

/** The numbers that a user adds to the maps of an index. */
export function segmentDeltas(index: UsersIndex, user: User, sign: 1 | -1, buckets: readonly number[]): Delta[] {
  const start = startOfList({ index, partition: partitionOf(index.filters, filtersOf(user)) });
  const key = keyIn(index, user);
  return bucketsOf(index, key, user, buckets).map(([bucket, n]) => ({ key: start + key, bucket, n: sign * n }));
}

/** What a user adds to the maps of the indexes that a head names. */
export const orderedDeltas = (user: User, sign: 1 | -1, { indexes, buckets }: Pick<Head, 'indexes' | 'buckets'>) =>
  USERS_INDEXES.filter(({ name }) => indexes.includes(name)).flatMap((index) => {
    const deltas = segmentDeltas(index, user, sign, buckets);
    return LEVELS.map((level) => ({ map: mapOf(level, index), deltas }));
  });

/** A segment, or the sum of several. The first begins where the list begins, and the last ends where the list ends. */
export interface Segment extends Range {
  users: number;
  counts: ReadonlyMap<string, number>;
  /** Hashes of the buckets that values have: one without users is not among the counts. */
  buckets: readonly number[];
}

/** The bound of a list that is a key of its index's maps; undefined for the list's ends. */
function boundIn(list: List, key: string | undefined): string | undefined {
  const start = startOfList(list);
  return key?.startsWith(start) && key !== start && key !== FIRST_BOUND ? key.slice(start.length) : undefined;
}

/** The keys of a list that a row stands for. @param next the key of the row after it, if there is one */
export const rangeAt = (list: List, key: string, next: string | undefined): Range => ({
  from: boundIn(list, key),
  to: boundIn(list, next),
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
  const overlay = overlayOf(journal, (user, sign) => segmentDeltas(index, user, sign, journal.buckets));
  const { rows, next } = await readRanges(tree, mapOf(level, index), stretch, overlay);
  return rows.map((row, i) => ({
    ...rangeAt(list, row.key, rows[i + 1]?.key ?? next),
    users: usersIn(row),
    counts: row.counts,
    buckets: journal.buckets,
  }));
}

/** Values that users must have, any of several for each field. */
export type Wanted = Readonly<Partial<Record<ExactField, readonly string[]>>>;

/** What stands for no value. */
const MISSING = encodeOptional(undefined);

/** How many users of a segment have no value of a field: all, less the users with one. */
function countWithout({ users, counts }: Segment, field: ExactField): number {
  const some = [...counts].filter(([bucket]) => bucket.startsWith(prefixOf(field)) || bucket === othersOf(field));
  return some.reduce((rest, [, n]) => rest - n, users);
}

function countOf(segment: Segment, field: ExactField, value: string): number | undefined {
  const { counts, buckets } = segment;
  if (value === MISSING) return countWithout(segment, field);
  const bucket = prefixOf(field) + value;
  return buckets.includes(hashOf(bucket)) || !counts.has(othersOf(field)) ? (counts.get(bucket) ?? 0) : undefined;
}

/** How many users of a segment have wanted values of one field; undefined if that is not counted. */
export function countIn(segment: Segment, wanted: Wanted): number | undefined {
  const [first, ...others] = Object.entries(wanted) as [ExactField, readonly string[]][];
  if (!first) return segment.users;
  const [field, values] = first;
  const numbers = values.flatMap((value) => countOf(segment, field, value) ?? []);
  return others.length > 0 || numbers.length < values.length ? undefined : numbers.reduce((sum, n) => sum + n, 0);
}

/** At most how many users of a segment have last names with letters of all these scripts. */
export const mostWith = ({ users, counts }: Segment, scripts: readonly string[]): number =>
  Math.min(users, ...scripts.map((script) => counts.get(bucketOfScript(script)) ?? 0));

/** The sum of some rows, at the key of the first. */
export function sumOf(rows: readonly Row[]): Row {
  const counts = new Map<string, number>();
  for (const row of rows) for (const [bucket, n] of row.counts) addTo(counts, bucket, n);
  return { key: rows[0]?.key ?? '', counts };
}

export const isEqual = (a: Row, b: Row): boolean =>
  [USERS, CHECKSUM].every((bucket) => (a.counts.get(bucket) ?? 0) === (b.counts.get(bucket) ?? 0));

/** The row of some users, from a bound of their list. */
export function rowOfUsers(
  list: List,
  from: string | undefined,
  users: readonly User[],
  buckets: readonly number[],
): Row {
  const { index } = list;
  const counts = new Map<string, number>();
  for (const user of users) {
    for (const [bucket, n] of bucketsOf(index, keyIn(index, user), user, buckets)) addTo(counts, bucket, n);
  }
  return { key: keyOf(list, from), counts };
}
