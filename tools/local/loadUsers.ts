import { putItems } from '../../lib/dynamodb/batches.ts';
import type { Database } from '../../lib/users/database.ts';
import { createIdSource } from '../../lib/users/ids.ts';
import { beginStage } from '../../lib/users/journal/newStage.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import type { User, UserFields } from '../../lib/users/user.ts';
import { userItem } from '../../lib/users/userItem.ts';

export interface LoadOptions {
  users: number;
  /** The clock for ids, to make users look older than they are. */
  now?: () => number;
  onLoaded?: (users: number) => void;
}

/** So many that they are written side by side. */
const CHUNK = 5_000;

/**
 * Writes many users without the journal, and then all statistics. Many times faster than one by one. While it runs, lists
 * may lack some of the new users or show them too early.
 */
export async function loadUsers(
  database: Database,
  source: Iterator<UserFields>,
  { users, now = database.runtime.now, onLoaded = () => {} }: LoadOptions,
): Promise<void> {
  await beginStage(database);
  const nextId = createIdSource({ ...database.runtime, now });
  const next = (): User => ({ id: nextId(), version: 1, ...(source.next().value as UserFields) });
  for (let loaded = 0; loaded < users; ) {
    const chunk = Array.from({ length: Math.min(CHUNK, users - loaded) }, next);
    await putItems(database, database.tables.users, chunk.map(userItem));
    loaded += chunk.length;
    onLoaded(loaded);
  }
  await verify(database, { repair: true });
}
