import { changesOf, createSums, treeOf } from '../counts/maps.ts';
import type { Database } from '../database.ts';
import type { Change } from '../journal/entry.ts';
import type { Head } from '../journal/head.ts';
import { addBatch, type ChangedRow } from '../tree/add.ts';
import type { NodeCache } from '../tree/cache.ts';

/** Adds a batch of changes to the statistics. Any fold may repeat it. @returns the rows that may have grown */
export async function applyBatch(
  database: Database,
  cache: NodeCache,
  head: Head,
  changes: readonly Change[],
): Promise<ChangedRow[]> {
  const sums = createSums();
  for (const change of changes) sums.add(changesOf(change, head));
  return addBatch(treeOf(database, head.generation), cache, head.epoch, sums.maps());
}
