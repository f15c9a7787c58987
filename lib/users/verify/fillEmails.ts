import { deleteItems } from '../../dynamodb/batches.ts';
import { scanItems } from '../../dynamodb/scan.ts';
import { transact } from '../../dynamodb/transact.ts';
import { inParallel } from '../../parallel.ts';
import { ALL_FORMS, addressOf, PRESENT } from '../addressForm.ts';
import type { Database } from '../database.ts';
import { addressIn, emailKey, forgetFlags, putEmail, writeFlag } from '../emails.ts';
import { findUser } from '../read.ts';
import type { User } from '../user.ts';
import { isUser, toUser } from '../userItem.ts';

const PARALLEL = 16;

export interface FilledEmails {
  /** The ids of users with one address. While there are any, the items do not count. */
  sharing: number[][];
  /** How many items were made, and how many were of users who have another address, or none. */
  made: number;
  deleted: number;
}

/** Holds if the user is as it was read: everything else is written in the same transaction, or not at all. */
const ifStill = (TableName: string, id: number, user: User | undefined) => ({
  ConditionCheck: {
    TableName,
    Key: { id },
    ...(user
      ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': user.version } }
      : { ConditionExpression: 'attribute_not_exists(id)' }),
  },
});

/** D22. The users of each address, and the users of the items that there are. Strongly consistent, next to writers. */
async function readAddresses(database: Database) {
  const [users, items] = [new Map<string, number[]>(), new Map<string, number>()];
  await scanItems(database, database.tables.users, (some) => {
    for (const user of some.filter(isUser).map(toUser)) {
      const address = addressOf(user);
      if (address !== undefined) users.set(address, [...(users.get(address) ?? []), user.id]);
    }
  });
  await scanItems(database, database.tables.directory, (some) => {
    for (const item of some) {
      const address = addressIn(item);
      if (address) items.set(address, Number(item.id));
    }
  });
  return { users, items };
}

const deleteEmail = (TableName: string, address: string, id: number) => ({
  Delete: {
    TableName,
    Key: emailKey(address),
    ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
    ExpressionAttributeValues: { ':id': id },
  },
});

/** Writes or deletes the item of an address as its user has it now. Again if the user was written in between. */
async function mend(database: Database, address: string, id: number): Promise<'made' | 'deleted' | undefined> {
  const { users, directory } = database.tables;
  for (;;) {
    const user = await findUser(database, id);
    const isHers = addressOf(user) === address;
    const item = isHers ? putEmail(directory, address, id) : deleteEmail(directory, address, id);
    if (await transact(database, [ifStill(users, id, user), item])) return isHers ? 'made' : 'deleted';
    // If it was not the user that has changed, another writer has: it has mended the item, or taken what an earlier version took for another address.
    if ((await findUser(database, id))?.version === user?.version) return undefined;
  }
}

/**
 * Makes the items of a stage with unique e-mails say what the users say, next to writers, and lets addresses be taken from then on. It may be
 * called again at any time. Reads both tables, and costs four write units for each item that is missing or wrong.
 */
export async function fillEmails(database: Database): Promise<FilledEmails> {
  const { users, items } = await readAddresses(database);
  const sharing = [...users.values()].filter((ids) => ids.length > 1);
  if (sharing.length > 0) return { sharing, made: 0, deleted: 0 };
  const wrong = [...items].filter(([address, id]) => users.get(address)?.[0] !== id);
  const missing = [...users].map(([address, [id = 0]]) => [address, id] as const);
  const counts = { made: 0, deleted: 0 };
  let isUnsure = false;
  // First the wrong ones: they may be in the way.
  for (const some of [wrong, missing.filter(([address, id]) => items.get(address) !== id)]) {
    await inParallel(some, PARALLEL, async ([address, id]) => {
      const outcome = await mend(database, address, id);
      if (outcome) counts[outcome]++;
      else isUnsure = true;
    });
  }
  if (isUnsure) {
    const again = await fillEmails(database);
    return { ...again, made: counts.made + again.made, deleted: counts.deleted + again.deleted };
  }
  await writeFlag(database);
  await forgetFlags(
    database,
    ALL_FORMS.filter((form) => form !== PRESENT),
  );
  return { sharing, ...counts };
}

/** Deletes all items of addresses, where they need not be unique any more. @returns how many */
export async function forgetEmails(database: Database): Promise<number> {
  let deleted = 0;
  await forgetFlags(database);
  await scanItems(database, database.tables.directory, async (items) => {
    const keys = items.flatMap((item) => addressIn(item) || []).map(emailKey);
    await deleteItems(database, database.tables.directory, keys);
    deleted += keys.length;
  });
  return deleted;
}
