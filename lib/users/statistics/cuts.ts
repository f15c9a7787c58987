import type { Database } from '../database.ts';
import { addModulo } from '../hash.ts';
import { USERS_INDEXES } from '../indexes.ts';
import { advance, type Head } from '../journal/head.ts';
import { readItems } from '../journal/items.ts';
import type { EncodedFilters } from '../keys.ts';
import { type List, listOf, valuesOf } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import { isEqual, levelsOf, segmentsOf, sumOf, sumsOf } from './boundaries.ts';
import { COUNT, memberHash } from './members.ts';
import { type Entry, encodePage } from './packing.ts';
import { FIRST_BOUND, readEntries, readFloorEntries, WHOLE_MAP } from './pages.ts';
import { newPages, split, writePage } from './pageWrites.ts';
import { readFolded } from './readFolded.ts';
import { publish } from './segmented.ts';
import { type Level, segmentsMap } from './segments.ts';
import { readStoredTotal, valuesOfTotal } from './totals.ts';
import type { Written } from './write.ts';

/** Both levels of a list are written in one transaction, which has at most 100 items. */
const MAX_HALVINGS = 5;

/** Writes whole levels of a list that lacks them, unless another fold has run or cut since the head was read. */
async function putLevels(database: Database, head: Head, list: List, levels: ReadonlyMap<Level, Entry[]>) {
  const pages = [...levels].flatMap(([level, entries]) =>
    newPages(database, segmentsMap(level, list), head.epoch + 1, entries, MAX_HALVINGS),
  );
  await publish(database, advance(database, head), list, levels.has(2) ? 2 : 1, pages);
}

/**
 * Gives a list its first segments, at rest. What the index holds is accepted only if it is, to the version of each user,
 * what the totals know: an index may be late.
 */
async function cutList(database: Database, list: List): Promise<void> {
  const { head, entries } = await readItems(database);
  if (head.batch.length > 0) return;
  const total = await readStoredTotal(database, head, valuesOf(list));
  const members = await readFolded(database, entries, list, FIRST_BOUND, undefined);
  const checksum = members.reduce((sum, { user }) => addModulo(sum, memberHash(user)), 0);
  if (members.length !== total.users || checksum !== total.checksum) return;
  await putLevels(database, head, list, levelsOf(database, segmentsOf(database, { list, members, ...WHOLE_MAP })));
}

/** Gives a list level 2, at rest, when it has many segments. */
async function addSums(database: Database, list: List): Promise<void> {
  const { head } = await readItems(database);
  if (head.batch.length > 0) return;
  const segments = await readEntries(database, segmentsMap(1, list), FIRST_BOUND, undefined);
  const sums = levelsOf(database, segments).get(2);
  if (sums) await putLevels(database, head, list, new Map([[2, sums]]));
}

/** Replaces an entry of a map of segments with several that have the same sum. Does nothing if it has changed. */
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
    return segmentsOf(database, { list, members: await readFolded(database, entries, list, key, to), from: key, to });
  });
  if (isCut) await cutSum(database, list, key);
}

/** Cuts the part of level 2 that has a segment in it, when it sums up too many. */
async function cutSum(database: Database, list: List, segment: string): Promise<void> {
  const floor = await readFloorEntries(database, segmentsMap(2, list), segment);
  if (!floor) return addSums(database, list);
  const sum = floor.entries.findLast(({ key }) => compareCodePoints(key, segment) <= 0);
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

/** Cuts the segments that a batch has made too large. A cut that conflicts with another write is tried again when the list grows further. */
export async function cutWhatHasGrown(database: Database, head: Head, { counts, levelOf }: Written): Promise<void> {
  const { segmentUsers } = database.sizes;
  const grown = counts.filter(({ users }) => users > segmentUsers);
  const totals = [
    ...grown.flatMap(({ map, key }) => valuesOfTotal(map, key) ?? []),
    ...(head.total > segmentUsers ? [{}] : []),
  ];
  const lists = totals.flatMap(listsWith).filter((list) => levelOf(list) === 0);
  for (const list of new Map(lists.map((each) => [segmentsMap(1, each), each])).values()) {
    await cutList(database, list);
  }
  for (const { map, key } of grown) {
    const [, name, partition = ''] = SEGMENTS_1.exec(map) ?? [];
    const index = USERS_INDEXES.find((each) => each.name === name);
    if (index) await cutSegment(database, { index, partition }, key);
  }
}
