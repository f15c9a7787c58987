/**
 * Where the sender of changes has come to, and who sends now, in one item of the Directory table:
 *
 * - `events`, `-`: `next`, the token of the next change; and `lease`, `leasedUntil` while a call sends
 *
 * The token moves only from where the call that moves it has found it, so a call that was frozen, or an attempt that arrives
 * late, moves it neither back nor on. A lease keeps calls from sending the same changes at once. It ends by time, so a lease that
 * outlives its call delays the others, and a lease that ends too early repeats changes.
 */
import { QueryCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { rangeQuery } from '../dynamodb/query.ts';
import { update } from '../dynamodb/update.ts';
import type { Database } from '../users/database.ts';

export const CURSOR = 'events';

const KEY = { pk: CURSOR, sk: '-' };

/** D19. The token of the next change. Undefined before the first one. Strongly consistent. One read unit. */
export async function readCursor({ dynamo, tables }: Database): Promise<string | undefined> {
  const input = rangeQuery({ table: tables.directory, partition: ['pk', CURSOR] });
  const { Items = [] } = await dynamo.send(new QueryCommand({ ...input, ConsistentRead: true }));
  const { next } = Items[0] ?? {};
  return next === undefined ? undefined : String(next);
}

const change = ({ dynamo, tables }: Database, expressions: Partial<UpdateCommandInput>): Promise<boolean> =>
  update(dynamo, { TableName: tables.directory, Key: KEY, ...expressions });

/** A condition on the token that was read. */
const isAt = (next: string | undefined): { condition: string; values: Record<string, string> } =>
  next === undefined
    ? { condition: 'attribute_not_exists(#next)', values: {} }
    : { condition: '#next = :found', values: { ':found': next } };

const NAMES = { '#next': 'next', '#lease': 'lease' };

/**
 * Lets one call send. The conditions also hold for an attempt that the SDK repeats because its response was lost.
 *
 * @param found the token that the call has read
 * @param until in Unix milliseconds
 * @returns false when another call sends, or has moved the token
 */
export function takeLease(database: Database, lease: string, found: string | undefined, until: number) {
  const { condition, values } = isAt(found);
  return change(database, {
    UpdateExpression: 'SET #lease = :lease, leasedUntil = :until',
    ConditionExpression: `${condition} AND (attribute_not_exists(#lease) OR #lease = :lease OR leasedUntil < :now)`,
    ExpressionAttributeNames: NAMES,
    ExpressionAttributeValues: { ...values, ':lease': lease, ':until': until, ':now': database.runtime.now() },
  });
}

/** Moves the token, and prolongs the lease. @returns false when another call has taken the lease */
export function moveCursor(database: Database, lease: string, found: string | undefined, next: string, until: number) {
  const { condition, values } = isAt(found);
  return change(database, {
    UpdateExpression: 'SET #next = :next, leasedUntil = :until',
    ConditionExpression: `#lease = :lease AND (${condition} OR #next = :next)`,
    ExpressionAttributeNames: NAMES,
    ExpressionAttributeValues: { ...values, ':lease': lease, ':next': next, ':until': until },
  });
}

/** Lets the next call send at once. @returns false when another call has taken the lease */
export const releaseLease = (database: Database, lease: string) =>
  change(database, {
    UpdateExpression: 'REMOVE #lease, leasedUntil',
    ConditionExpression: '#lease = :lease',
    ExpressionAttributeNames: { '#lease': 'lease' },
    ExpressionAttributeValues: { ':lease': lease },
  });
