import { isHistory, restoreHistoryKey } from '../../lib/changes/items.ts';
import { deleteItems, scan } from '../../lib/dynamodb/index.ts';
import type { Database } from '../../lib/users/database.ts';

/**
 * D16. Deletes what the history has of writes that restored users lack: their versions will be given again. The versions of a
 * user who is gone will not.
 */
export async function forgetLaterChanges(database: Database, versions: ReadonlyMap<number, number>): Promise<void> {
  const { directory } = database.tables;
  const later: { pk: unknown; sk: unknown }[] = [];
  await scan(database, directory, (items) => {
    for (const { pk, sk } of items.filter(isHistory)) {
      const { id, version } = restoreHistoryKey({ pk, sk });
      if (version > (versions.get(id) ?? Number.POSITIVE_INFINITY)) later.push({ pk, sk });
    }
  });
  await deleteItems(database, directory, later);
}
