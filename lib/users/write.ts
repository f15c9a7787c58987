/**
 * The way of a write, from top to bottom:
 *
 *   checks ─▶ one transaction: the user, its entry in the journal, its unique values ─▶ refused by another writer: again, from the newest version
 *
 * The next version of the user is made in store.ts.
 */
import { Again, retry, type TransactionItem, transact } from '../dynamodb/index.ts';
import { unavailable } from '../ground/index.ts';
import { createNameCheck } from './attributeNames.ts';
import { type Database, userItem } from './database.ts';
import { type Change, entryItem } from './entry.ts';
import { createIdSource, creationTime } from './ids.ts';
import { createHeadCheck } from './pressure.ts';
import { createEmailCheck, refuseTaken, type Unique, uniqueItems } from './unique.ts';
import type { User } from './user.ts';

/** Writes users, for as long as a container lives: the checks remember what they have read. */
export interface Writer {
  database: Database;
  nextId: () => number;
  /** In how many parts the journal lies, as far as is known. @throws {ServiceError} 503 for what brings values, where there is no room */
  checkHead: ReturnType<typeof createHeadCheck>;
  checks: readonly ((change: Change) => Promise<void>)[];
}

export const createWriter = (database: Database, nextId = createIdSource(database.runtime)): Writer => ({
  database,
  nextId,
  checkHead: createHeadCheck(database),
  checks: [createEmailCheck(database), createNameCheck(database)],
});

const unlessExists = (key: string) => ({ ConditionExpression: `attribute_not_exists(${key})` });

/** Optimistic locking: every write raises the version, so an equal version means that nobody else has written. Undefined: there is no user. */
export const ifUnchanged = (user: User | undefined) =>
  user
    ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': user.version } }
    : unlessExists('id');

function writeUser(TableName: string, { id, before, after }: Change): TransactionItem {
  const condition = ifUnchanged(before);
  return after
    ? { Put: { TableName, Item: userItem(after), ...condition } }
    : { Delete: { TableName, Key: { id }, ...condition } };
}

/**
 * The items that a change writes in one transaction: the user, its entry in the journal, and the values that are only this user's. It touches no item that
 * writes of other users touch. It is refused when another writer was first.
 *
 * @param parts of the journal, as some head has said
 * @param at the moment of the write, in Unix milliseconds
 */
export const changeItems = (
  database: Database,
  change: Change,
  parts = 1,
  at = database.runtime.now(),
): TransactionItem[] => [
  writeUser(database.tables.users, change),
  {
    Put: {
      TableName: database.tables.directory,
      Item: entryItem(change, at, parts),
      ...unlessExists('pk'),
    },
  },
  ...uniqueItems(database, change),
];

/** A change with the moment of its write, unless the user is created at that of its id. A clock that is behind does not put it before the last one. */
function stamped<Written extends Change>(change: Written, at: number): Written {
  const { id, before, after } = change;
  if (!after || after.updatedAt !== undefined) return change;
  return { ...change, after: { ...after, updatedAt: Math.max(at, before?.updatedAt ?? creationTime(id)) } };
}

interface Beside {
  /** Items of the same transaction. */
  readonly more?: readonly TransactionItem[];
  /** The unique field that is not asked about. */
  readonly but?: Unique;
}

/**
 * @param tries with this one. If others were refused, it is asked why
 * @returns the change as it was written; undefined if another writer was first
 */
export async function write<Written extends Change>(
  { database, checkHead, checks }: Writer,
  change: Written,
  tries: number,
  { more = [], but }: Beside = {},
): Promise<Written | undefined> {
  const parts = await checkHead(change);
  for (const check of checks) await check(change);
  if (tries > 1) await refuseTaken(database, change, but);
  const at = database.runtime.now();
  const written = stamped(change, at);
  const isFirst = await transact(database, [...changeItems(database, written, parts, at), ...more]);
  return isFirst ? written : undefined;
}

/** More tries than this mean that something else is wrong. */
const MAX_CONTENTIONS = 40;

/** Tries a write until it is not refused. */
export const contend = <Result>(
  { database }: Writer,
  attempt: (tries: number) => Promise<Result | Again>,
): Promise<Result> => retry(database.runtime, MAX_CONTENTIONS, attempt);

export const refused = () => new Again(unavailable(`Other writers were faster ${MAX_CONTENTIONS} times in a row`));
