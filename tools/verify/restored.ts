import { isHistory, restoreHistoryKey } from '../../lib/changes/items.ts';
import { deleteItems, query, scan } from '../../lib/dynamodb/index.ts';
import { MOST_PARTS, partitionsOf, readHead } from '../../lib/replica/index.ts';
import type { Database } from '../../lib/users/database.ts';

/**
 * D10. Empties the journal of restored tables, with its head: the two tables are never of exactly the same moment, so the journal may have
 * writes that the users lack, or lack writes that they have. The head, the base and the feed are made anew.
 *
 * @returns in how many parts it lay
 */
export async function forgetJournal(database: Database): Promise<number> {
  const { directory } = database.tables;
  const head = await readHead(database);
  for (const partition of partitionsOf(MOST_PARTS)) {
    const items = query(database, { table: directory, partition: ['pk', partition] });
    const keys = await Array.fromAsync(items, ({ pk, sk }) => ({ pk, sk }));
    await deleteItems(database, directory, keys);
  }
  return head?.parts ?? database.limits.journalParts;
}

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
