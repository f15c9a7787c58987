import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../dynamodb/bulk.ts';
import { transact } from '../../dynamodb/transact.ts';
import { indexKeys } from '../keys.ts';
import type { UserStoreDependencies } from '../store.ts';
import { type CountedUser, toUser } from '../user.ts';
import { transactionOf } from '../write.ts';

const MAX_ATTEMPTS = 20;

/** Where a user is counted that does not tell: the shard of a quiet cell. */
const DEFAULT_SHARD = 0;

const hasShard = (item: Item): boolean => typeof item.shard === 'number';

/** A user as it is to be counted, also one whose item has yet to be put right. */
export const toCountedUser = (item: Item): CountedUser => ({
  ...toUser(item),
  shard: hasShard(item) ? Number(item.shard) : DEFAULT_SHARD,
});

/** Whether every index has the user in its place, and its shard is known. */
export const isUserRight = (item: Item): boolean =>
  hasShard(item) && Object.entries(indexKeys(toUser(item))).every(([attribute, key]) => item[attribute] === key);

/**
 * Writes a user again, under its guard and with the next version, as an update that changes nothing: the transaction
 * computes all keys anew and touches no row. A user that gets a shard is counted by its row afterwards, with the rows.
 *
 * @returns whether the user is right now; a deleted one is
 */
export async function repairUser(dependencies: UserStoreDependencies, id: number): Promise<boolean> {
  const { dynamo, tables } = dependencies;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { Item } = await dynamo.send(new GetCommand({ TableName: tables.users, Key: { id }, ConsistentRead: true }));
    if (!Item || isUserRight(Item)) return true;
    const before = toCountedUser(Item);
    if (!Number.isSafeInteger(before.version)) return false;
    const { shard: _, ...user } = before;
    const change = { before, after: { ...user, version: user.version + 1 } };
    const outcome = await transact(dependencies, transactionOf(tables, [change], before.shard));
    if (outcome === 'committed') return true;
  }
  return false;
}
