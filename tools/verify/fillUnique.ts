import { deleteItems, scan, transact } from '../../lib/dynamodb/index.ts';
import { inParallel } from '../../lib/ground/index.ts';
import { type Database, findUser, isUser, toUser } from '../../lib/users/database.ts';
import {
  EMAIL,
  forgetFlag,
  putUnique,
  type Unique,
  uniqueKey,
  unlessOthers,
  valueIn,
  writeFlag,
} from '../../lib/users/unique.ts';
import type { User } from '../../lib/users/user.ts';
import { ifUnchanged } from '../../lib/users/write.ts';

const PARALLEL = 16;

export interface Filled {
  /** The ids of users with one value. While there are any, no item is made. */
  sharing: number[][];
  /** How many items were made, and how many were of users who have another value, or none. */
  made: number;
  deleted: number;
}

/** Holds if the user is as it was read: everything else is written in the same transaction, or not at all. */
const ifStill = (TableName: string, id: number, user: User | undefined) => ({
  ConditionCheck: { TableName, Key: { id }, ...ifUnchanged(user) },
});

/** D22. The users of each value, and the users of the items that there are. Strongly consistent, next to writers. */
async function readValues(database: Database, unique: Unique) {
  const [users, items] = [new Map<string, number[]>(), new Map<string, number>()];
  await scan(database, database.tables.users, (some) => {
    for (const user of some.filter(isUser).map(toUser)) {
      const value = unique.compared(user);
      if (value !== undefined) users.set(value, [...(users.get(value) ?? []), user.id]);
    }
  });
  await scan(database, database.tables.directory, (some) => {
    for (const item of some) {
      const value = valueIn(unique, item);
      if (value) items.set(value, Number(item.id));
    }
  });
  return { users, items };
}

const deleteUnique = (TableName: string, unique: Unique, value: string, id: number) => ({
  Delete: { TableName, Key: uniqueKey(unique, value), ...unlessOthers(id) },
});

/** Writes or deletes the item of a value as its user has it now. Again if the user was written in between. */
async function mend(
  database: Database,
  unique: Unique,
  value: string,
  id: number,
): Promise<'made' | 'deleted' | undefined> {
  const { users, directory } = database.tables;
  for (;;) {
    const user = await findUser(database, id);
    const isHers = unique.compared(user) === value;
    const item = (isHers ? putUnique : deleteUnique)(directory, unique, value, id);
    if (await transact(database, [ifStill(users, id, user), item])) return isHers ? 'made' : 'deleted';
    // If it was not the user that has changed, another writer has: it has mended the item, or taken what an earlier version took for another value.
    if ((await findUser(database, id))?.version === user?.version) return undefined;
  }
}

/**
 * Makes the items of a field say what the users say, next to writers. It may be called again at any time. Reads both tables, and costs four
 * write units for each item that is missing or wrong.
 */
export async function fillUnique(database: Database, unique: Unique): Promise<Filled> {
  const { users, items } = await readValues(database, unique);
  const sharing = [...users.values()].filter((ids) => ids.length > 1);
  if (sharing.length > 0) return { sharing, made: 0, deleted: 0 };
  const wrong = [...items].filter(([value, id]) => users.get(value)?.[0] !== id);
  const missing = [...users].map(([value, [id = 0]]) => [value, id] as const);
  const counts = { made: 0, deleted: 0 };
  let isUnsure = false;
  // First the wrong ones: they may be in the way.
  for (const some of [wrong, missing.filter(([value, id]) => items.get(value) !== id)]) {
    await inParallel(some, PARALLEL, async ([value, id]) => {
      const outcome = await mend(database, unique, value, id);
      if (outcome) counts[outcome]++;
      else isUnsure = true;
    });
  }
  if (!isUnsure) return { sharing, ...counts };
  const again = await fillUnique(database, unique);
  return { ...again, made: counts.made + again.made, deleted: counts.deleted + again.deleted };
}

/** Makes the items of a stage with unique e-mails, and lets addresses be taken from then on. */
export async function fillEmails(database: Database): Promise<Filled> {
  const filled = await fillUnique(database, EMAIL);
  if (filled.sharing.length > 0) return filled;
  await writeFlag(database);
  return filled;
}

/** Deletes all items of addresses, where they need not be unique any more. @returns how many */
export async function forgetEmails(database: Database): Promise<number> {
  let deleted = 0;
  await forgetFlag(database);
  await scan(database, database.tables.directory, async (items) => {
    const keys = items.flatMap((item) => valueIn(EMAIL, item) || []).map((address) => uniqueKey(EMAIL, address));
    await deleteItems(database, database.tables.directory, keys);
    deleted += keys.length;
  });
  return deleted;
}
