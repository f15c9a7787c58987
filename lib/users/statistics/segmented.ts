import type { Database } from '../database.ts';
import type { List } from '../lists.ts';
import { addDeltas, decodePage, encodePage, positionOf, visitPage } from './page.ts';
import { FIRST_BOUND, readFloor, readPages, split, WHOLE_MAP, writePage } from './pages.ts';
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

/** Announces a level of the segments of a list. To be done before the level exists: later folds must find it. */
export async function addSegmented(database: Database, list: List, level: Level): Promise<void> {
  const { key, bucket } = segmentedAt(list);
  for (;;) {
    const page = await readFloor(database, SEGMENTED, positionOf(key, bucket));
    const entries = page ? decodePage(page.data) : [];
    const known = entries.find((entry) => entry.key === key)?.counts.get(bucket) ?? 0;
    if (known >= level) return;
    const place = { pk: SEGMENTED, sk: page?.sk ?? FIRST_BOUND, end: page?.end };
    const more = addDeltas(entries, [{ key, bucket, n: level - known }]);
    if (!(await writePage(database, { ...place, epoch: 0 }, more, page))) continue;
    if (encodePage(more).length > database.sizes.pageBytes) await split(database, place);
    return;
  }
}
