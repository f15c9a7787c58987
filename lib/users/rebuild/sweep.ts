import { deleteItems } from '../../dynamodb/batchWrite.ts';
import { scanItems } from '../../dynamodb/bulk.ts';
import type { Database } from '../database.ts';
import { isOld } from '../journal/head.ts';
import { readHead } from '../journal/items.ts';
import { generationOf } from '../tree/tree.ts';

/** The maps of the formats up to 4, which had no generations. */
const EARLIER_MAPS = /^(totals|names|pieces|segments[12]|segmented)(:|$)/;

/** Longer than any request reads: requests that began with the generation before still need it. In milliseconds. */
export const KEEP_OLD_MS = 60_000;

/**
 * D7. Deletes the statistics that nobody reads any more. A later generation is kept: another rebuild may write it.
 *
 * @param all after a head was lost, whose epochs are no longer known. No other rebuild may be under way
 */
export async function sweep(database: Database, keepOldMs: number, all: boolean): Promise<void> {
  const { directory } = database.tables;
  const head = await readHead(database);
  const old: { pk: unknown; sk: unknown }[] = [];
  await scanItems(database, directory, (items) => {
    for (const { pk, sk, data } of items) {
      const own = generationOf(String(pk));
      const isUnread =
        own === undefined ? EARLIER_MAPS.test(String(pk)) : isOld(own, head) || (all && own !== head.generation);
      if (data !== undefined && isUnread) old.push({ pk, sk });
    }
  });
  if (old.length === 0) return;
  await database.runtime.sleep(keepOldMs);
  await deleteItems(database, directory, old);
}
