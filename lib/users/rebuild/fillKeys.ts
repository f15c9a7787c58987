import { withRetries } from '../../dynamodb/retry.ts';
import { type Item, scanItems } from '../../dynamodb/scan.ts';
import { update } from '../../dynamodb/update.ts';
import { inParallel } from '../../parallel.ts';
import type { Database } from '../database.ts';
import { indexKeys } from '../keys.ts';
import type { User } from '../user.ts';
import { toUser } from '../userItem.ts';

/** For each segment of the scan. */
const PARALLEL_WRITES = 4;

/** A user, and its missing or wrong keys. */
interface Stale {
  user: User;
  keys: [attribute: string, key: string][];
}

function staleKeys(item: Item): Stale[] {
  const user = toUser(item);
  const keys = Object.entries(indexKeys(user)).filter(([attribute, key]) => item[attribute] !== key);
  return keys.length > 0 ? [{ user, keys }] : [];
}

/** Changes neither the user nor its version. If another writer was faster, that write included the keys. */
const writeKeys = (database: Database, { user: { id, version }, keys }: Stale): Promise<boolean> =>
  withRetries(database, () =>
    update(database.dynamo, {
      table: database.tables.users,
      key: { id },
      set: Object.fromEntries(keys),
      condition: '#v = :version',
      values: { version },
    }),
  );

/**
 * D8. Gives users the keys that this version gives them: those that were written before a field existed lack
 * some. The service keeps running. Run it before listings use the index.
 *
 * @returns how many users lacked keys
 */
export async function fillKeys(database: Database): Promise<number> {
  let filled = 0;
  await scanItems(database, database.tables.users, async (items) => {
    const stale = items.flatMap(staleKeys);
    await inParallel(stale, PARALLEL_WRITES, (one) => writeKeys(database, one));
    filled += stale.length;
  });
  return filled;
}
