import { transact } from '../lib/dynamodb/transact.ts';
import { chunksOf } from '../lib/parallel.ts';
import type { Database } from '../lib/users/database.ts';
import { createFold } from '../lib/users/fold/fold.ts';
import { createIdSource } from '../lib/users/ids.ts';
import type { Change } from '../lib/users/journal/entry.ts';
import { createCurrent } from '../lib/users/listing/current.ts';
import type { User } from '../lib/users/user.ts';
import { changeItems } from '../lib/users/write.ts';
import { FOLD_AT_ONCE, UNTIL_ALL_IS_FOLDED } from './data.ts';
import { newcomers, times } from './sample.ts';

const SHARE = 0.03;
/** Of ten writes: these are creates, this is a delete, and the others are patches. */
const [CREATES, DELETES] = [3, 1];
const CHANGES_PER_TRANSACTION = 50;

/** Writes to this share of all users since the base, and folds it: the journal is at rest again. */
export async function changeSome(database: Database): Promise<void> {
  const { replica } = await createCurrent(database).now();
  const { base } = replica;
  const count = Math.round(base.size * SHARE);
  const [draw, nextId] = [newcomers(), createIdSource(database.runtime)];
  const changes = times(count, (i): Change => {
    if (i % 10 < CREATES) {
      const after = { id: nextId(), version: 1, ...draw() };
      return { id: after.id, version: 1, before: undefined, after };
    }
    const before = { ...base.rowAt(Math.floor(((i + 0.5) * base.size) / count)), version: 1 } as unknown as User;
    const { lastName } = draw();
    const after: User = { ...before, version: 2, age: (before.age ?? 20) + 1, ...(lastName && { lastName }) };
    return { id: before.id, version: 2, before, after: i % 10 < CREATES + DELETES ? undefined : after };
  });
  for (const some of chunksOf(changes, CHANGES_PER_TRANSACTION)) {
    const isWritten = await transact(
      database,
      some.flatMap((change) => changeItems(database, change)),
    );
    if (!isWritten) throw new Error('Nobody else writes to this store');
  }
  await createFold(database, FOLD_AT_ONCE).run(UNTIL_ALL_IS_FOLDED);
}
