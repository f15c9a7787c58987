import { transact } from '../../lib/dynamodb/index.ts';
import type { Database } from '../../lib/users/database.ts';
import { createIdSource } from '../../lib/users/ids.ts';
import { userAtFirst } from '../../lib/users/store.ts';
import type { User, UserFields } from '../../lib/users/user.ts';
import { changeItems } from '../../lib/users/write.ts';

/** Three items a user, and at most 100 in a transaction. */
const USERS_PER_TRANSACTION = 33;

/** Creates users in large transactions, where e-mails may be shared: much faster than one by one. */
export async function createMany(
  database: Database,
  all: readonly UserFields[],
  nextId = createIdSource(database.runtime),
): Promise<User[]> {
  const created: User[] = [];
  let tries = 0;
  while (created.length < all.length) {
    const some = all.slice(created.length, created.length + USERS_PER_TRANSACTION);
    const users = some.map((fields) => userAtFirst(nextId(), fields));
    const changes = users.map((after) => ({ id: after.id, version: after.version, before: undefined, after }));
    const items = changes.flatMap((change) => changeItems(database, change));
    if (tries++ > all.length) throw new Error('A value that only one user may have is another one’s');
    // If an id was taken, all of them get others.
    if (await transact(database, items)) created.push(...users);
  }
  return created;
}
