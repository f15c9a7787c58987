import { metered } from '../lib/metering.ts';
import type { Database } from '../lib/users/database.ts';
import { createFold } from '../lib/users/fold/fold.ts';
import { createUserStore } from '../lib/users/store.ts';
import type { UserFields } from '../lib/users/user.ts';
import { FOLD_AT_ONCE, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { one } from './figures.ts';
import { emptyJournal } from './journal.ts';
import { PRICES } from './prices.ts';
import type { Figures } from './print.ts';
import { times } from './sample.ts';

/**
 * How many creates a fold finds at so many a second: it rests for ten seconds, but not once the journal costs a list more than a read
 * unit, which is some 31 entries; and an entry waits for two to three seconds.
 */
const FOUND = [
  { at: 'at 1 create a second', batch: 12 },
  { at: 'at 10 creates a second', batch: 40 },
  { at: 'at 100 creates a second', batch: 300 },
] as const;

/** So many that nodes and segments are split as often as usual. */
const CREATES = 3_000;
const QUICK_CREATES = 120;

/** The units of creates, each: at once, and in folds that find a batch of them. */
async function unitsOf(database: Database, draw: () => UserFields, batch: number, batches: number) {
  const [users, fold] = [createUserStore(database), createFold(database, FOLD_AT_ONCE)];
  return metered(async (meter) => {
    for (let written = 0; written < batches; written++) {
      for (const user of times(batch, draw)) await users.create(user);
      await fold.run(UNTIL_ALL_IS_FOLDED);
    }
    return { write: meter.writeUnits / batch / batches, read: meter.readUnits / batch / batches };
  });
}

/** All units of a create: at once in the request, and later in the fold. */
export async function measurePrice(database: Database, draw: () => UserFields, isQuick: boolean): Promise<Figures> {
  const figures: Figures = [];
  await emptyJournal(database);
  for (const { at, batch } of FOUND) {
    const { write, read } = await unitsOf(
      database,
      draw,
      batch,
      Math.ceil((isQuick ? QUICK_CREATES : CREATES) / batch),
    );
    figures.push(
      [`write units, ${at}`, one(write)],
      [`read units, ${at}`, one(read)],
      [`dollars for a million, ${at}`, one(1e6 * (write * PRICES.writeUnit + read * PRICES.readUnit))],
    );
  }
  return figures;
}
