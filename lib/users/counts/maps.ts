/** Which keys a user has in which map. */
import type { Database } from '../database.ts';
import type { Change } from '../journal/entry.ts';
import type { Head } from '../journal/head.ts';
import type { Delta } from '../tree/rows.ts';
import type { Tree, TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { letterDeltas } from './letters.ts';
import { nameDeltas } from './names.ts';
import { changed } from './overlay.ts';
import { orderedDeltas } from './segments.ts';
import { totalsDeltas } from './totals.ts';

export interface MapDeltas {
  map: TreeMap;
  deltas: Delta[];
}

/** The statistics of a generation. */
export const treeOf = ({ dynamo, runtime, tables, sizes }: Database, generation: string): Tree => ({
  dynamo,
  runtime,
  table: tables.directory,
  generation,
  nodeBytes: sizes.nodeBytes,
});

/** What a user adds to the maps that have no order of users. */
export const countedDeltas = (user: User, sign: 1 | -1): MapDeltas[] => [
  ...totalsDeltas(user, sign),
  ...nameDeltas(user, sign),
  ...letterDeltas(user, sign),
];

/** Adds up the changes of each map. Changes that cancel out are dropped. */
export function createSums() {
  const maps = new Map<string, { map: TreeMap; sums: Map<string, Delta> }>();
  return {
    add(changes: readonly MapDeltas[]): void {
      for (const { map, deltas } of changes) {
        const { sums } = maps.get(map.name) ?? { sums: new Map<string, Delta>() };
        maps.set(map.name, { map, sums });
        for (const { key, bucket, n } of deltas) {
          const name = `${key}\0${bucket}`;
          sums.set(name, { key, bucket, n: (sums.get(name)?.n ?? 0) + n });
        }
      }
    },
    maps: (): MapDeltas[] =>
      [...maps.values()]
        .map(({ map, sums }) => ({ map, deltas: [...sums.values()].filter(({ n }) => n !== 0) }))
        .filter(({ deltas }) => deltas.length > 0),
  };
}

/** What a change adds to all maps. */
export const changesOf = (change: Change, head: Head): MapDeltas[] =>
  changed(change, (user, sign) => [...countedDeltas(user, sign), ...orderedDeltas(user, sign, head)]);
