import { deleteItems } from '../../dynamodb/batches.ts';
import { scanItems } from '../../dynamodb/scan.ts';
import { isHistory, restoreHistoryKey } from '../changes/items.ts';
import type { Database } from '../database.ts';
import { changeHead } from '../journal/head.ts';
import { deleteEntries, readItems } from '../journal/items.ts';
import type { User } from '../user.ts';

/**
 * Empties the journal of restored tables: the two tables are never of exactly the same moment, so the journal may have writes
 * that the users lack, or lack writes that they have. Its format goes, so that the service refuses the tables until `verify`
 * with `repair` has ended. The feed goes, too: it would go on without the changes that were lost.
 */
export async function forgetJournal(database: Database): Promise<void> {
  const { entries } = await readItems(database);
  const keys = entries.map(({ sk }) => sk);
  await deleteEntries(database, keys);
  await changeHead(database, { remove: ['batch', 'format', 'feed'] });
}

/**
 * D16. Deletes what the history has of writes that restored users lack: their versions will be given again. The versions of a
 * user who is gone will not.
 */
export async function forgetLaterChanges(database: Database, users: readonly User[]): Promise<void> {
  const { directory } = database.tables;
  const versions = new Map(users.map(({ id, version }) => [id, version]));
  const later: { pk: unknown; sk: unknown }[] = [];
  await scanItems(database, directory, (items) => {
    for (const { pk, sk } of items.filter(isHistory)) {
      const { id, version } = restoreHistoryKey({ pk, sk });
      if (version > (versions.get(id) ?? Number.POSITIVE_INFINITY)) later.push({ pk, sk });
    }
  });
  await deleteItems(database, directory, later);
}
