import { putItems } from '../../lib/dynamodb/index.ts';
import { createRepair } from '../../lib/replica/index.ts';
import { type Database, userItem } from '../../lib/users/database.ts';
import { createIdSource } from '../../lib/users/ids.ts';
import type { User, UserFields } from '../../lib/users/user.ts';

export interface LoadOptions {
  users: number;
  /** The clock for ids, to make users look older than they are. */
  now?: () => number;
  onLoaded?: (users: number) => void;
}

/** Users who are held in memory and written side by side. */
const CHUNK = 5_000;

/** Writes many users without the journal, and then a base of all. Many times faster than one by one. Until it ends, lists lack them. */
export async function loadUsers(
  database: Database,
  source: Iterator<UserFields>,
  { users, now = database.runtime.now, onLoaded = () => {} }: LoadOptions,
): Promise<void> {
  const nextId = createIdSource({ ...database.runtime, now });
  const next = (): User => ({ id: nextId(), version: 1, ...(source.next().value as UserFields) });
  for (let loaded = 0; loaded < users; ) {
    const chunk = Array.from({ length: Math.min(CHUNK, users - loaded) }, next);
    await putItems(database, database.tables.users, chunk.map(userItem));
    loaded += chunk.length;
    onLoaded(loaded);
  }
  const stored = createRepair(database);
  while (!(await stored.rebuild(await stored.begin())));
}
