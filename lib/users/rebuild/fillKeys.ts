import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, scanItems, withRetries } from '../../dynamodb/bulk.ts';
import { isConditionFailed } from '../../dynamodb/errors.ts';
import { inParallel } from '../../parallel.ts';
import type { Database } from '../database.ts';
import { indexKeys } from '../keys.ts';
import { toUser, type User } from '../user.ts';

const PARALLEL_WRITES = 16;

/** A user, and the keys that it lacks or that are others than its fields ask for. */
interface Stale {
  user: User;
  keys: [attribute: string, key: string][];
}

function staleKeys(item: Item): Stale[] {
  const user = toUser(item);
  const keys = Object.entries(indexKeys(user)).filter(([attribute, key]) => item[attribute] !== key);
  return keys.length > 0 ? [{ user, keys }] : [];
}

/** What the user is stays as it is, and so does its version. Whoever has written it meanwhile has written its keys. */
async function writeKeys(database: Database, { user, keys }: Stale): Promise<void> {
  const update = new UpdateCommand({
    TableName: database.tables.users,
    Key: { id: user.id },
    UpdateExpression: `SET ${keys.map((_, i) => `#${i} = :${i}`).join(', ')}`,
    ConditionExpression: 'version = :version',
    ExpressionAttributeNames: Object.fromEntries(keys.map(([attribute], i) => [`#${i}`, attribute])),
    ExpressionAttributeValues: {
      ':version': user.version,
      ...Object.fromEntries(keys.map(([, key], i) => [`:${i}`, key])),
    },
  });
  await withRetries(database, () => database.dynamo.send(update)).catch((error) => {
    if (!isConditionFailed(error)) throw error;
  });
}

/**
 * D8. Gives users the keys that a new index needs, which those have not that were written before there was the field. The
 * service goes on meanwhile. To be run before anything is listed by the index.
 *
 * @returns how many users lacked some
 */
export async function fillKeys(database: Database): Promise<number> {
  const stale: Stale[] = [];
  await scanItems(database, database.tables.users, (items) => {
    for (const item of items) stale.push(...staleKeys(item));
  });
  await inParallel(stale, PARALLEL_WRITES, (one) => writeKeys(database, one));
  return stale.length;
}
