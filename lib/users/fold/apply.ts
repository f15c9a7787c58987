import { changesOf, createSums, treeOf } from '../counts/maps.ts';
import type { Database } from '../database.ts';
import type { Change } from '../journal/entry.ts';
import type { Head } from '../journal/head.ts';
import type { NodeCache } from '../tree/cache.ts';
import type { Row } from '../tree/rows.ts';
import type { TreeMap } from '../tree/tree.ts';
import { addBatch } from '../tree/write.ts';

/** A row that a batch has changed, in a map of ranges. */
export interface ChangedRow {
  map: TreeMap;
  row: Row;
}

/** Adds a batch of changes to the statistics. Any fold may repeat it. @returns the rows that may have grown */
export async function applyBatch(
  database: Database,
  cache: NodeCache,
  head: Head,
  changes: readonly Change[],
): Promise<ChangedRow[]> {
  const tree = treeOf(database, head.generation);
  const changed: ChangedRow[] = [];
  const sums = createSums();
  for (const change of changes) sums.add(changesOf(change, head.indexes));
  await addBatch(
    tree,
    cache,
    head.epoch,
    sums.maps().map(({ map, deltas }) => ({ map, deltas, onRow: (row) => changed.push({ map, row }) })),
  );
  return changed.filter(({ map }) => map.ranges);
}
