/** What a merge costs: the fold's, which writes the next base, and that of a container, beside its requests. */
import { pageOf } from '../lib/replica/replica.ts';
import type { Database } from '../lib/users/database.ts';
import { merge, sweep } from '../lib/users/fold/merge.ts';
import { readHead } from '../lib/users/journal/items.ts';
import { mergedFrom } from '../lib/users/limits.ts';
import type { HeadWithBase } from '../lib/users/listing/bases.ts';
import { createCurrent } from '../lib/users/listing/current.ts';
import { totalOrder } from '../lib/users/listing/order.ts';
import { costOf, type Figures, one } from './figures.ts';
import { PAGE_SIZE } from './sample.ts';

/** Without changes there is no merge, and it would be waited for in vain. */
const MOST_REQUESTS = 10_000;

const BY_NAME = totalOrder([{ property: 'name', direction: 'asc' }]);

/** The next base, and the sweep of the one before and of its deltas. */
export async function mergeAndSweep(database: Database) {
  const merging = await costOf(() => merge(database, createCurrent(database)));
  const head = (await readHead(database)) as HeadWithBase;
  const sweeping = await costOf(() => sweep(database, head));
  /** Whose changes the next base would take. */
  const changed = mergedFrom(database.limits, head.base.users);
  return { merging, sweeping, changed };
}

/** The processor time of first pages by name while a container merges, and of the one with which it has. */
async function besideMerge(database: Database): Promise<number[]> {
  // So many have changed already.
  const limits = { ...database.limits, mergeLeast: 1, mergeShare: database.limits.mergeShare / 2 };
  const users = createCurrent({ ...database, limits });
  const ask = async () => {
    const { replica } = await users.now();
    pageOf(replica, {}, BY_NAME, 0, PAGE_SIZE);
    return replica.base;
  };
  const first = await ask();
  const found: number[] = [];
  for (let base = first; base === first && found.length < MOST_REQUESTS; ) {
    const { milliseconds } = await costOf(async () => {
      base = await ask();
    });
    found.push(milliseconds);
  }
  return found;
}

export async function measureMerge(database: Database): Promise<Figures> {
  const beside = await besideMerge(database);
  const { merging, sweeping, changed } = await mergeAndSweep(database);
  return {
    'processor seconds, with a new container': one(merging.milliseconds / 1_000),
    'write units a change': one(merging.writeUnits / changed),
    'write units a change, with the sweep': one((merging.writeUnits + sweeping.writeUnits) / changed),
    'in a container: requests that have a slice': one(beside.length),
    'in a container: the longest request, milliseconds': one(Math.max(...beside)),
  };
}
