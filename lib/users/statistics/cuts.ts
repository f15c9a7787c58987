import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { transact } from '../../dynamodb/transact.ts';
import type { Database } from '../database.ts';
import { addModulo } from '../hash.ts';
import { USERS_INDEXES } from '../indexes.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { advance, type Head } from '../journal/head.ts';
import { readItems } from '../journal/journal.ts';
import { type EncodedFilters, runBounds, textOfOrderKey } from '../keys.ts';
import { contains, keyIn, type List, listOf, runEnd } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import { toUser, type User } from '../user.ts';
import { CHECKSUM, COUNT, memberHash } from './members.ts';
import { type Entry, encodePage } from './page.ts';
import { FIRST_BOUND, firstRevision, piecesOf, readEntries, readFloorEntries, split, writePage } from './pages.ts';
import { addSegmented, readSegmented } from './segmented.ts';
import { keyHash, type Level, segmentsMap } from './segments.ts';
import { readStoredTotal, valuesOfTotal } from './totals.ts';
import type { Counted } from './write.ts';

/** What a cut aims at: there is room to grow. */
const aimOf = (most: number): number => Math.max(1, Math.floor(most * 0.75));

/** A user and its key in a list. */
export interface Member {
  key: string;
  user: User;
}

const byKey = (a: Member, b: Member): number => compareCodePoints(a.key, b.key);

export const segmentEntry = (key: string, members: readonly Member[]): Entry => ({
  key,
  counts: new Map([
    [CHECKSUM, members.reduce((sum, member) => addModulo(sum, keyHash(member.key)), 0)],
    [COUNT, members.length],
  ]),
});

export const sumOf = (key: string, entries: readonly Entry[]): Entry => {
  const sum = (bucket: string) => entries.reduce((total, { counts }) => addModulo(total, counts.get(bucket) ?? 0), 0);
  return {
    key,
    counts: new Map([
      [CHECKSUM, sum(CHECKSUM)],
      [COUNT, sum(COUNT)],
    ]),
  };
};

const isEqual = (a: Entry, b: Entry): boolean =>
  [CHECKSUM, COUNT].every((bucket) => (a.counts.get(bucket) ?? 0) === (b.counts.get(bucket) ?? 0));

/** A place among members at which a segment begins. */
interface Boundary {
  at: number;
  key: string;
}

/** Where long runs begin and end: their ranks are then known without a scan. */
function runBoundaries(members: readonly Member[], list: List, longRun: number): Boundary[] {
  if (list.index.order === 'id') return [];
  const boundaries: Boundary[] = [];
  for (let start = 0, i = 1; i <= members.length; i++) {
    const text = textOfOrderKey(members[start]?.key ?? '');
    if (i < members.length && textOfOrderKey(members[i]?.key ?? '') === text) continue;
    if (i - start >= longRun) {
      boundaries.push({ at: start, key: runBounds(text)[0] }, { at: i, key: runEnd(list, text) });
    }
    start = i;
  }
  return boundaries;
}

/** Boundaries between two others, so that no segment has more users than it should. */
function evenBoundaries(members: readonly Member[], from: number, to: number, users: number): Boundary[] {
  const segments = Math.ceil((to - from) / users);
  const places = Array.from(
    { length: Math.max(segments - 1, 0) },
    (_, i) => from + Math.floor(((i + 1) * (to - from)) / segments),
  );
  return places.map((at) => ({ at, key: members[at]?.key ?? '' }));
}

/** The entries of the segments that members are cut into; the first has the bound that is given. */
export function segmentsOf({ sizes }: Database, from: string, members: readonly Member[], list: List): Entry[] {
  const users = aimOf(sizes.segmentUsers);
  const runs = runBoundaries(members, list, Math.ceil(users / 2));
  const fixed = [
    { at: 0, key: from },
    ...runs.filter(({ key }) => compareCodePoints(key, from) > 0),
    { at: members.length, key: '' },
  ];
  const boundaries = fixed
    .slice(0, -1)
    .flatMap((boundary, i) => [
      boundary,
      ...evenBoundaries(members, boundary.at, fixed[i + 1]?.at ?? members.length, users),
    ]);
  return boundaries.map(({ at, key }, i) =>
    segmentEntry(key, members.slice(at, boundaries[i + 1]?.at ?? members.length)),
  );
}

/** The sums of level 2 for the segments of level 1. */
export function sumsOf({ sizes }: Database, segments: readonly Entry[]): Entry[] {
  const sums: Entry[] = [];
  const step = aimOf(sizes.segmentsPerSum);
  for (let i = 0; i < segments.length; i += step) sums.push(sumOf(segments[i]?.key ?? '', segments.slice(i, i + step)));
  return sums;
}

/** L4. The members of a stretch of a list without what the journal says: as the folds have left them. `to` is not included. */
async function readFolded(
  { dynamo, tables }: Database,
  entries: readonly JournalEntry[],
  list: List,
  from: string,
  to: string | undefined,
): Promise<Member[]> {
  const { index, partition } = list;
  const isWithin = (key: string) =>
    compareCodePoints(key, from) >= 0 && (to === undefined || compareCodePoints(key, to) < 0);
  const oldest = new Map(entries.map((entry) => [entry.id, entry]));
  const members = [...oldest.values()].flatMap(({ before }) =>
    before && contains(list, before) ? [{ key: keyIn(list, before), user: before }] : [],
  );
  const keyOf = (text: string) => (index.order === 'id' ? Number(text) : text);
  const bounded =
    from === FIRST_BOUND
      ? to === undefined
        ? ''
        : ' AND #sort <= :to'
      : to === undefined
        ? ' AND #sort >= :from'
        : ' AND #sort BETWEEN :from AND :to';
  let next: Record<string, unknown> | undefined;
  do {
    const answer = await dynamo.send(
      new QueryCommand({
        TableName: tables.users,
        IndexName: index.name,
        KeyConditionExpression: `#partition = :partition${bounded}`,
        ExpressionAttributeNames: { '#partition': index.partitionKey, ...(bounded && { '#sort': index.sortKey }) },
        ExpressionAttributeValues: {
          ':partition': partition,
          ...(from !== FIRST_BOUND && { ':from': keyOf(from) }),
          ...(to !== undefined && { ':to': keyOf(to) }),
        },
        ExclusiveStartKey: next,
      }),
    );
    for (const item of answer.Items ?? []) {
      const user = toUser(item);
      if (!oldest.has(user.id)) members.push({ key: keyIn(list, user), user });
    }
    next = answer.LastEvaluatedKey;
  } while (next !== undefined);
  return members.filter(({ key }) => isWithin(key)).sort(byKey);
}

/** Both levels of a list are written in one transaction, which has at most 100 items. */
const MAX_HALVINGS = 5;

/** The pages of a map that is written for the first time. */
const pagesOf = (database: Database, pk: string, epoch: number, entries: readonly Entry[]) =>
  piecesOf(database, { pk, sk: FIRST_BOUND, epoch }, entries, MAX_HALVINGS).map(({ item, entries: part }) => ({
    ...item,
    revision: firstRevision(database),
    data: encodePage(part),
  }));

/**
 * Gives a list its first segments, at rest. What the index holds is accepted only if it is, to the version of each user,
 * what the totals know: an index may be late.
 */
async function cutList(database: Database, list: List, values: EncodedFilters): Promise<void> {
  const { head, entries } = await readItems(database);
  if (head.batch.length > 0) return;
  const total = await readStoredTotal(database, head, values);
  const members = await readFolded(database, entries, list, FIRST_BOUND, undefined);
  const checksum = members.reduce((sum, { user }) => addModulo(sum, memberHash(user)), 0);
  if (members.length !== total.users || checksum !== total.checksum) return;
  await addSegmented(database, list);
  const segments = segmentsOf(database, FIRST_BOUND, members, list);
  const epoch = head.epoch + 1;
  const pages = [
    ...pagesOf(database, segmentsMap(1, list), epoch, segments),
    ...pagesOf(database, segmentsMap(2, list), epoch, sumsOf(database, segments)),
  ];
  await transact(database, [
    advance(database, head),
    ...pages.map((Item) => ({
      Put: { TableName: database.tables.directory, Item, ConditionExpression: 'attribute_not_exists(pk)' },
    })),
  ]);
}

/** Replaces an entry of a map of segments by several that count the same; by none if it has changed meanwhile. */
async function replace(
  database: Database,
  level: Level,
  list: List,
  key: string,
  partsOf: (entry: Entry, to: string | undefined, epoch: number) => Promise<Entry[] | undefined>,
): Promise<boolean> {
  const pk = segmentsMap(level, list);
  const floor = await readFloorEntries(database, pk, key);
  const at = floor?.entries.findIndex((entry) => entry.key === key) ?? -1;
  const entry = floor?.entries[at];
  if (!floor || !entry) return false;
  const { page, entries, end } = floor;
  const parts = await partsOf(entry, entries[at + 1]?.key ?? end, page.epoch);
  if (!parts || parts.length < 2 || !isEqual(sumOf(key, parts), entry)) return false;
  const all = [...entries.slice(0, at), ...parts, ...entries.slice(at + 1)];
  if (!(await writePage(database, { pk, sk: page.sk, epoch: page.epoch, end: page.end }, all, page))) return false;
  if (encodePage(all).length > database.sizes.pageBytes) await split(database, page);
  return true;
}

/** Cuts a segment that has grown, at rest. */
async function cutSegment(database: Database, list: List, key: string): Promise<void> {
  const { head, entries } = await readItems(database);
  if (head.batch.length > 0) return;
  const isCut = await replace(database, 1, list, key, async (entry, to, epoch) => {
    if ((entry.counts.get(COUNT) ?? 0) <= database.sizes.segmentUsers || epoch > head.epoch) return undefined;
    return segmentsOf(database, key, await readFolded(database, entries, list, key, to), list);
  });
  if (isCut) await cutSum(database, list, key);
}

/** Cuts the part of level 2 that has a segment in it, when it sums up too many. */
async function cutSum(database: Database, list: List, segment: string): Promise<void> {
  const floor = await readFloorEntries(database, segmentsMap(2, list), segment);
  const sum = floor?.entries.findLast(({ key }) => compareCodePoints(key, segment) <= 0);
  if (!sum) return;
  await replace(database, 2, list, sum.key, async (_, to) => {
    const segments = await readEntries(database, segmentsMap(1, list), sum.key, to);
    return segments.length > database.sizes.segmentsPerSum ? sumsOf(database, segments) : undefined;
  });
}

const SEGMENTS_1 = /^segments1:([^:]+):(.*)$/s;

/** The lists with exactly these values, one per order. */
const listsWith = (values: EncodedFilters): List[] => {
  const filters = Object.keys(values);
  return USERS_INDEXES.filter(
    (index) => index.filters.length === filters.length && index.filters.every((field) => values[field] !== undefined),
  ).map((index) => listOf(index, values));
};

/** Cuts what has grown in the last folds. What fails, as something else was written, is tried again when it grows more. */
export async function cutWhatHasGrown(database: Database, head: Head, counts: readonly Counted[]): Promise<void> {
  const { segmentUsers } = database.sizes;
  const grown = counts.filter(({ users }) => users > segmentUsers);
  const isSegmented = await readSegmented(database);
  const totals = [
    ...grown.flatMap(({ map, key }) => valuesOfTotal(map, key) ?? []),
    ...(head.total > segmentUsers ? [{}] : []),
  ];
  const seen = new Set<string>();
  for (const values of totals) {
    for (const list of listsWith(values)) {
      const id = segmentsMap(1, list);
      if (seen.has(id) || isSegmented(list)) continue;
      seen.add(id);
      await cutList(database, list, values);
    }
  }
  for (const { map, key } of grown) {
    const [, name, partition = ''] = SEGMENTS_1.exec(map) ?? [];
    const index = USERS_INDEXES.find((each) => each.name === name);
    if (index) await cutSegment(database, { index, partition }, key);
  }
}
