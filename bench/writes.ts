/** The cost of writes: in their requests, and whole, with all that the fold does for them later. */

import { createFold } from '../lib/replica/index.ts';
import type { Database } from '../lib/users/database.ts';
import { createUserStore } from '../lib/users/store.ts';
import { createMany } from '../tools/samples/createMany.ts';
import { FOLD_AT_ONCE, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { costOf, type Figures, maximum, one } from './figures.ts';
import { mergeAndSweep } from './merge.ts';
import { newcomers } from './population.ts';
import { PRICES } from './prices.ts';
import { times } from './sample.ts';

const USERS = 5;

/** A fold that leaves the base alone: it is merged when its cost is measured. */
const foldAlone = (database: Database) =>
  createFold({ ...database, limits: { ...database.limits, mergeLeast: Number.POSITIVE_INFINITY } }, FOLD_AT_ONCE);

/** The write units of each write in its request. */
export async function measureRequests(database: Database): Promise<Figures> {
  const users = createUserStore(database);
  const found = new Map<string, number[]>();
  const note = async (step: string, run: () => Promise<unknown>): Promise<void> => {
    const { writeUnits } = await costOf(run);
    found.set(step, [...(found.get(step) ?? []), writeUnits]);
  };
  for (const fields of times(USERS, newcomers())) {
    let id = 0;
    await note('create', async () => {
      id = (await users.create({ ...fields, status: 'active', country: 'DE' })).id;
    });
    await note('patch of the age', () => users.update(id, (user) => ({ ...user, age: (user.age ?? 0) + 1 })));
    await note('patch of the country', () => users.update(id, (user) => ({ ...user, country: 'FR' })));
    await note('delete', () => users.delete(id));
  }
  await foldAlone(database).run(UNTIL_ALL_IS_FOLDED);
  return Object.fromEntries([...found].map(([step, units]) => [step, maximum(units)]));
}

/**
 * Creates that a fold finds, by their rate: it rests for ten seconds, but not once the journal costs a list more than a read
 * unit, which is some 31 entries; and an entry waits for three to four seconds.
 */
const FOUND = { 'at 1 a second': 12, 'at 10 a second': 40, 'at 100 a second': 300 };

const CREATES = 3_000;
const QUICK_CREATES = 120;

/** All units of a create: in its request, in a fold that finds a batch of them, and in the merge after. */
async function priceOf(database: Database, batch: number, batches: number) {
  const [fold, draw] = [foldAlone(database), newcomers(batch)];
  let [request, folding, reads] = [0, 0, 0];
  for (const some of times(batches, () => times(batch, draw))) {
    request += (await costOf(() => createMany(database, some))).writeUnits;
    const cost = await costOf(() => fold.run(UNTIL_ALL_IS_FOLDED));
    folding += cost.writeUnits;
    reads += cost.readUnits;
  }
  const { merging, sweeping, changed } = await mergeAndSweep(database);
  const creates = batch * batches;
  // A base is swept for what it cost to write. The rest of the sweep were the deltas of these creates.
  const deltas = Math.max(0, sweeping.writeUnits - merging.writeUnits);
  const parts = {
    'its request': request / creates,
    'the fold': folding / creates,
    'merges and sweeps': (2 * merging.writeUnits) / changed + deltas / creates,
  };
  return { parts, read: reads / creates + (merging.readUnits + sweeping.readUnits) / changed };
}

export async function measurePrice(database: Database, isQuick: boolean): Promise<Figures> {
  const figures: [string, number][] = [];
  await mergeAndSweep(database);
  for (const [at, batch] of Object.entries(FOUND)) {
    const { parts, read } = await priceOf(database, batch, Math.ceil((isQuick ? QUICK_CREATES : CREATES) / batch));
    const write = Object.values(parts).reduce((sum, units) => sum + units);
    figures.push(
      [`write units, ${at}`, write],
      ...Object.entries(parts).map(([part, units]) => [`in ${part}, ${at}`, units] as [string, number]),
      [`read units, ${at}`, read],
      [`dollars for a million, ${at}`, 1e6 * (write * PRICES.writeUnit + read * PRICES.readUnit)],
    );
  }
  return Object.fromEntries(figures.map(([title, value]) => [title, one(value)]));
}
