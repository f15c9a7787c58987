/** Which keys a user has in which map. */
import type { Database } from '../database.ts';
import type { Change } from '../journal/entry.ts';
import type { Delta } from '../tree/rows.ts';
import type { Tree, TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { nameDeltas } from './names.ts';
import { nameRow, recentDeltas } from './recent.ts';
import { segmentChanges } from './segments.ts';
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

/** What a user adds to totals, names and pieces. */
export function countedDeltas(user: User): MapDeltas[] {
  const row = nameRow(user, 1);
  return [...totalsDeltas(user, 1), ...(row ? nameDeltas(row) : [])];
}

/** What a change adds to all maps but names and pieces, with the segments of some indexes. */
export const changesOf = (change: Change, recent: TreeMap, indexes: readonly string[]): MapDeltas[] => [
  ...(change.before ? totalsDeltas(change.before, -1) : []),
  ...(change.after ? totalsDeltas(change.after, 1) : []),
  { map: recent, deltas: recentDeltas(change) },
  ...segmentChanges(change, indexes),
];
