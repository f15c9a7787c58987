import type { Database } from '../database.ts';
import type { List } from '../lists.ts';
import { COUNT } from './members.ts';
import { addDeltas, decodePage, encodePage, positionOf, visitPage } from './page.ts';
import { FIRST_BOUND, readFloor, readPages, split, writePage } from './pages.ts';
import { SEGMENTED, segmentedKey } from './segments.ts';

/** Tells which lists have segments: a map that no fold counts in. One read unit for some 200 lists. */
export async function readSegmented(database: Database): Promise<(list: List) => boolean> {
  const known = new Set<string>();
  for (const { data } of await readPages(database, SEGMENTED, FIRST_BOUND, undefined)) {
    visitPage(data, (key) => known.add(key));
  }
  return (list) => known.has(segmentedKey(list));
}

/** Announces the segments of a list. To be done before there are any: whoever folds later must find them. */
export async function addSegmented(database: Database, list: List): Promise<void> {
  const key = segmentedKey(list);
  for (;;) {
    const page = await readFloor(database, SEGMENTED, positionOf(key, COUNT));
    const entries = page ? decodePage(page.data) : [];
    if (entries.some((entry) => entry.key === key)) return;
    const place = { pk: SEGMENTED, sk: page?.sk ?? FIRST_BOUND, end: page?.end };
    const more = addDeltas(entries, [{ key, bucket: COUNT, n: 1 }]);
    if (!(await writePage(database, { ...place, epoch: 0 }, more, page))) continue;
    if (encodePage(more).length > database.sizes.pageBytes) await split(database, place);
    return;
  }
}
