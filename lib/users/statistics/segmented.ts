import { type TransactionItem, type TransactionOutcome, transact } from '../../dynamodb/transact.ts';
import type { Database } from '../database.ts';
import type { List } from '../lists.ts';
import { decodePage, visitPage } from './packing.ts';
import { addDeltas, positionOf } from './page.ts';
import { FIRST_BOUND, type PageItem, readFloor, readPages, WHOLE_MAP } from './pages.ts';
import { newPagePut, pagePut, split } from './pageWrites.ts';
import { type Level, type LevelOf, SEGMENTED, segmentedAt } from './segments.ts';

/** Reads up to which level lists are cut: a map that no fold counts in. One read unit for about 1,000 lists. */
export async function readSegmented(database: Database): Promise<LevelOf> {
  const known = new Map<string, Level>();
  for (const { data } of await readPages(database, SEGMENTED, WHOLE_MAP)) {
    visitPage(data, (key, bucket, level) => known.set(positionOf(key, bucket), level === 1 ? 1 : 2));
  }
  return (list) => {
    const { key, bucket } = segmentedAt(list);
    return known.get(positionOf(key, bucket)) ?? 0;
  };
}

/** The place of a list in the map of lists with segments. */
async function readPlace(database: Database, list: List) {
  const { key, bucket } = segmentedAt(list);
  const page = await readFloor(database, SEGMENTED, positionOf(key, bucket));
  const entries = page ? decodePage(page.data) : [];
  const level = entries.find((entry) => entry.key === key)?.counts.get(bucket) ?? 0;
  return { key, bucket, page, entries, level, bounds: { pk: SEGMENTED, sk: page?.sk ?? FIRST_BOUND, end: page?.end } };
}

/**
 * Writes pages of segments, and the level that the list has now, in one transaction with a guard: no fold finds one without
 * the other.
 */
export async function publish(
  database: Database,
  guard: TransactionItem,
  list: List,
  level: Level | 0,
  pages: readonly PageItem[],
): Promise<TransactionOutcome> {
  const { key, bucket, page, entries, level: before, bounds } = await readPlace(database, list);
  const changed = addDeltas(entries, [{ key, bucket, n: level - before }]);
  const outcome = await transact(database, [
    guard,
    ...pages.map((Item) => ({ Put: newPagePut(database, Item) })),
    ...(level === before ? [] : [{ Put: pagePut(database, { ...bounds, epoch: 0 }, changed, page) }]),
  ]);
  if (outcome === 'committed' && level !== before) await split(database, bounds);
  return outcome;
}
