import { pageOf } from '../lib/columns/index.ts';
import { inParallel } from '../lib/ground/index.ts';
import { createFold, createReplica } from '../lib/replica/index.ts';
import type { Database } from '../lib/users/database.ts';
import { totalOrder } from '../lib/users/order.ts';
import { createUserStore } from '../lib/users/store.ts';
import { FOLD_AT_ONCE, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { newcomers } from './population.ts';
import { rowsToChange } from './sample.ts';

/** Of ten writes: these are creates, this is a delete, and the others are patches. */
export const [CREATES, DELETES] = [3, 1];
const PARALLEL = 8;
const BY_ID = totalOrder([]);

/** Writes to some of the users since the base, and folds it: the journal is at rest again. */
export async function changeSome(database: Database): Promise<void> {
  const { replica } = await createReplica(database).now();
  const [users, draw] = [createUserStore(database), newcomers()];
  await inParallel(rowsToChange(replica.total), PARALLEL, async (row, i) => {
    const { id = 0 } = pageOf(replica, {}, BY_ID, row, 1).rows[0] ?? {};
    const { lastName = 'Nobody' } = draw();
    if (i % 10 < CREATES) await users.create(draw());
    else if (i % 10 < CREATES + DELETES) await users.delete(id);
    else await users.update(id, (user) => ({ ...user, age: (user.age ?? 20) + 1, lastName }));
  });
  // Of many users fewer change before a merge.
  const limits = { ...database.limits, mergeLeast: Number.POSITIVE_INFINITY };
  await createFold({ ...database, limits }, FOLD_AT_ONCE).run(UNTIL_ALL_IS_FOLDED);
}
