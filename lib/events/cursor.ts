/**
 * Where the sender of changes has come to, and who sends now, in one item of the Directory table:
 *
 * - `events`, `-`: `next`, the token of the next change; and `lease`, `leasedUntil` while a call sends
 *
 * The token moves only from where the call that moves it has found it, so a call that was frozen, or an attempt that arrives
 * late, moves it neither back nor on. A lease keeps calls from sending the same changes at once. It ends by time, so a lease that
 * outlives its call delays the others, and a lease that ends too early repeats changes.
 */
import { queryFirst, type Update, update } from '../dynamodb/index.ts';
import type { Database } from '../users/database.ts';

export const CURSOR = 'events';

const KEY = { pk: CURSOR, sk: '-' };

/** D19. The token of the next change. Undefined before the first one. Strongly consistent. One read unit. */
export async function readCursor(database: Database): Promise<string | undefined> {
  const { next } = (await queryFirst(database, { table: database.tables.directory, partition: ['pk', CURSOR] })) ?? {};
  return next === undefined ? undefined : String(next);
}

const change = (database: Database, expressions: Omit<Update, 'table' | 'key'>): Promise<boolean> =>
  update(database, { table: database.tables.directory, key: KEY, ...expressions });

/** A condition on the token that was read. */
const isAt = (found: string | undefined): { condition: string; values: Record<string, string> } =>
  found === undefined
    ? { condition: 'attribute_not_exists(#next)', values: {} }
    : { condition: '#next = :found', values: { found } };

/**
 * Lets one call send. The conditions also hold for an attempt that the SDK repeats because its response was lost.
 *
 * @param found the token that the call has read
 * @param leasedUntil in Unix milliseconds
 * @returns false when another call sends, or has moved the token
 */
export function takeLease(database: Database, lease: string, found: string | undefined, leasedUntil: number) {
  const { condition, values } = isAt(found);
  return change(database, {
    set: { lease, leasedUntil },
    condition: `${condition} AND (attribute_not_exists(#lease) OR #lease = :lease OR #leasedUntil < :now)`,
    values: { ...values, now: database.runtime.now() },
  });
}

/** Moves the token, and prolongs the lease. @returns false when another call has taken the lease */
export function moveCursor(
  database: Database,
  { name, at }: { readonly name: string; readonly at: string | undefined },
  next: string,
  leasedUntil: number,
) {
  const { condition, values } = isAt(at);
  return change(database, {
    set: { next, leasedUntil },
    condition: `#lease = :lease AND (${condition} OR #next = :next)`,
    values: { ...values, lease: name },
  });
}

/** Lets the next call send at once. @returns false when another call has taken the lease */
export const releaseLease = (database: Database, lease: string) =>
  change(database, { remove: ['lease', 'leasedUntil'], condition: '#lease = :lease', values: { lease } });
