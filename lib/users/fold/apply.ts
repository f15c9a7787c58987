import { changesOf, type MapDeltas, treeOf } from '../counts/maps.ts';
import type { Database } from '../database.ts';
import type { Change } from '../journal/entry.ts';
import type { Head } from '../journal/head.ts';
import type { NodeCache } from '../tree/cache.ts';
import type { Delta, Row } from '../tree/rows.ts';
import type { TreeMap } from '../tree/tree.ts';
import { addBatch } from '../tree/write.ts';

/** Adds up the changes of each map. Changes that cancel out are dropped. */
export function sumUp(changes: readonly MapDeltas[]): MapDeltas[] {
  const maps = new Map<string, { map: TreeMap; sums: Map<string, Delta> }>();
  for (const { map, deltas } of changes) {
    const { sums } = maps.get(map.name) ?? { sums: new Map<string, Delta>() };
    maps.set(map.name, { map, sums });
    for (const { key, bucket, n } of deltas) {
      const name = `${key}\0${bucket}`;
      sums.set(name, { key, bucket, n: (sums.get(name)?.n ?? 0) + n });
    }
  }
  return [...maps.values()]
    .map(({ map, sums }) => ({ map, deltas: [...sums.values()].filter(({ n }) => n !== 0) }))
    .filter(({ deltas }) => deltas.length > 0);
}

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
  const maps = sumUp(changes.flatMap((change) => changesOf(change, head.indexes)));
  await addBatch(
    tree,
    cache,
    head.epoch,
    maps.map(({ map, deltas }) => ({ map, deltas, onRow: (row) => changed.push({ map, row }) })),
  );
  return changed.filter(({ map }) => map.ranges);
}
