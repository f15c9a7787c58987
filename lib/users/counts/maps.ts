/** Which keys a user has in which map. */
import type { Database } from '../database.ts';
import type { Change } from '../journal/entry.ts';
import type { Delta } from '../tree/rows.ts';
import type { Tree, TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { letterDeltas } from './letters.ts';
import { nameDeltas } from './names.ts';
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

/** What a user adds to the maps that have no order of users. */
export const countedDeltas = (user: User, sign: 1 | -1): MapDeltas[] => [
  ...totalsDeltas(user, sign),
  ...nameDeltas(user, sign),
  ...letterDeltas(user, sign),
];

/** What a change adds to all maps, with the segments of some indexes. */
export const changesOf = (change: Change, indexes: readonly string[]): MapDeltas[] => [
  ...(change.before ? countedDeltas(change.before, -1) : []),
  ...(change.after ? countedDeltas(change.after, 1) : []),
  ...segmentChanges(change, indexes),
];
