import { scanItems } from '../../dynamodb/scan.ts';
import type { Database } from '../database.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { readItems } from '../journal/items.ts';
import type { User } from '../user.ts';
import { toUser } from '../userItem.ts';

/** A user before its oldest entry in the journal. */
function rollBack(users: Map<number, User>, entries: readonly JournalEntry[]): void {
  const oldest = new Map(entries.map((entry) => [entry.id, entry]));
  for (const [id, { before }] of oldest) {
    if (before) users.set(id, before);
    else users.delete(id);
  }
}

/**
 * D6. All users as the statistics count them, while the fold is held: the users of the table, with the journal rolled back.
 * The result takes about 300 bytes of heap per user. What a whole verification takes is in docs/runbook.md.
 *
 * @param onProgress gets the number of users read
 */
export async function readFoldedUsers(database: Database, onProgress: (users: number) => void): Promise<User[]> {
  const users = new Map<number, User>();
  await scanItems(database, database.tables.users, (items) => {
    for (const item of items) users.set(Number(item.id), toUser(item));
    onProgress(users.size);
  });
  const { entries } = await readItems(database);
  rollBack(users, entries);
  return [...users.values()];
}
