/** The cost of a merge: the fold's, which writes the next base, and that of a container, beside its requests. */

import { createReplica, readHead } from '../lib/replica/index.ts';
import { type HeadWithBase, merge, mergedFrom, sweep } from '../lib/replica/internals.ts';
import type { Database } from '../lib/users/database.ts';
import { startContainer } from './containers.ts';
import type { Store } from './data.ts';
import { costOf, type Figures, one } from './figures.ts';

/** The next base, and the sweep of the one before and of its deltas. */
export async function mergeAndSweep(database: Database) {
  const merging = await costOf(() => merge(database, createReplica(database)));
  const head = (await readHead(database)) as HeadWithBase;
  const sweeping = await costOf(() => sweep(database, head));
  /** The number of changed users from which on there is a next base. */
  const changed = mergedFrom(database.limits, head.base.users);
  return { merging, sweeping, changed };
}

export async function measureMerge({ endpoint, database }: Store): Promise<Figures> {
  const beside = (await startContainer(endpoint, 'merging')).costs.map(({ milliseconds }) => milliseconds);
  const { merging, sweeping, changed } = await mergeAndSweep(database);
  return {
    'processor seconds, with a new container': one(merging.milliseconds / 1_000),
    'write units a change': one(merging.writeUnits / changed),
    'write units a change, with the sweep': one((merging.writeUnits + sweeping.writeUnits) / changed),
    'in a container: requests that have a slice': one(beside.length),
    'in a container: the longest request, milliseconds': one(Math.max(...beside)),
  };
}
