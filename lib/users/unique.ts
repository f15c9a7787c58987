/**
 * Values that only one user has: external ids, and e-mails at stages that want it. `unique:<field>:<value>` has the id of the user, and is
 * written in the transaction of each change that takes or frees the value. Items of e-mails are older, and begin with `email:`.
 *
 * Items of e-mails say nothing about users who were there before e-mails were unique: so a flag says that all addresses have their items.
 * Without it nobody takes an address.
 */
import { deleteItems, get, type Item, put, queryFirst, type TransactionItem } from '../dynamodb/index.ts';
import { type ServiceError, unavailable } from '../ground/index.ts';
import { type Database, findUser, USER } from './database.ts';
import type { Change } from './entry.ts';
import { type UserProblem, userError } from './errors.ts';
import { foldMailbox } from './mailbox.ts';
import type { User, UserFields } from './user.ts';

const SORT_KEY = '-';

/** A field whose values only one user has. */
export interface Unique {
  /** The beginning of the keys of its items. No value is empty. */
  prefix: string;
  /** The value as it is compared. */
  compared(user: UserFields | undefined): string | undefined;
  code: UserProblem;
  message: string;
}

export const EMAIL: Unique = {
  prefix: 'email:',
  compared: (user) => (user?.email === undefined ? undefined : foldMailbox(user.email)),
  code: 'email-taken',
  message: 'There is a user with this email',
};

/** Nobody had one before it was unique, so no flag says that all have their items. */
export const EXTERNAL_ID: Unique = {
  prefix: 'unique:externalId:',
  compared: (user) => user?.externalId,
  code: 'external-id-taken',
  message: 'There is a user with this externalId',
};

const uniqueAt = ({ uniqueEmails }: Database): Unique[] => (uniqueEmails ? [EXTERNAL_ID, EMAIL] : [EXTERNAL_ID]);

export const uniqueKey = ({ prefix }: Unique, value: string) => ({ pk: prefix + value, sk: SORT_KEY });

/** The value of an item; undefined for an item of another kind. */
export const valueIn = ({ prefix }: Unique, { pk }: Record<string, unknown>): string | undefined =>
  String(pk).startsWith(prefix) ? String(pk).slice(prefix.length) : undefined;

/** The value that a change takes. */
export function takenBy({ compared }: Unique, { before, after }: Pick<Change, 'before' | 'after'>): string | undefined {
  const value = compared(after);
  return value === compared(before) ? undefined : value;
}

/** The value that a change leaves to others. */
const freedBy = (unique: Unique, { before, after }: Change) => takenBy(unique, { before: after, after: before });

/** An item of the user herself is left by a version that did not know the field. */
export const unlessOthers = (id: number) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR id = :id',
  ExpressionAttributeValues: { ':id': id },
});

export const putUnique = (TableName: string, unique: Unique, value: string, id: number) => ({
  Put: { TableName, Item: { ...uniqueKey(unique, value), id }, ...unlessOthers(id) },
});

/**
 * The items that a change writes besides: two write units for each value that is taken, and two for each that is freed, some more where a value has
 * nearly a kilobyte. An item is another user's only before all are made, or in restored tables: then none counts, and a user may leave a
 * value that several have.
 */
export function uniqueItems(database: Database, change: Change): TransactionItem[] {
  const { directory } = database.tables;
  return uniqueAt(database).flatMap((unique) => {
    const [taken, freed] = [takenBy(unique, change), freedBy(unique, change)];
    return [
      ...(taken === undefined ? [] : [putUnique(directory, unique, taken, change.id)]),
      ...(freed === undefined ? [] : [{ Delete: { TableName: directory, Key: uniqueKey(unique, freed) } }]),
    ];
  });
}

/** D20. Strongly consistent. */
const readUnique = (database: Database, key: ReturnType<typeof uniqueKey>): Promise<Item | undefined> =>
  get(database, database.tables.directory, key);

/**
 * The user with an external id: two read units, one if there is none. Strongly consistent.
 *
 * @returns `changing` if the user has another one now, and the item is about to follow, or was left behind by an earlier version
 */
export async function findByExternalId(database: Database, externalId: string): Promise<User | 'changing' | undefined> {
  const item = await readUnique(database, uniqueKey(EXTERNAL_ID, externalId));
  if (!item) return undefined;
  const user = await findUser(database, Number(item.id));
  return user?.externalId === externalId ? user : 'changing';
}

export const taken = ({ code, message }: Unique): ServiceError => userError(code, message);

/**
 * Asks why a write was refused: a read unit for each value that it takes.
 *
 * @param but a value of this field may be another user's: the caller looks for her
 * @throws {ServiceError} 409 if one is another user's
 */
export async function refuseTaken(
  database: Database,
  change: Pick<Change, 'id' | 'before' | 'after'>,
  but?: Unique,
): Promise<void> {
  for (const unique of uniqueAt(database)) {
    if (unique === but) continue;
    const value = takenBy(unique, change);
    const item = value === undefined ? undefined : await readUnique(database, uniqueKey(unique, value));
    if (item && item.id !== change.id) throw taken(unique);
  }
}

/** Versions before 3.0 have compared otherwise, and had flags of other names: theirs say nothing about these items. No address is empty. */
export const FLAG_KEY = { ...uniqueKey(EMAIL, ''), sk: 'letters' };

/** D21. Whether the stage has no users: the first writer writes the flag before. An index is late by less than a deployment takes. */
export async function isEmpty(database: Database): Promise<boolean> {
  const all = { table: database.tables.users, index: 'byId', partition: ['entity', USER] as const };
  return (await queryFirst(database, all)) === undefined;
}

/** Whether all addresses have their items. */
export const hasFlag = async (database: Database): Promise<boolean> =>
  (await readUnique(database, FLAG_KEY)) !== undefined;

/** Without a flag nobody takes an address, until the items are made again. A write unit. */
export const forgetFlag = (database: Database): Promise<void> =>
  deleteItems(database, database.tables.directory, [FLAG_KEY]);

/**
 * The run of a fold at a stage. Where e-mails need not be unique, nobody writes their items, so these do not stay whole, not even if they were made
 * too early: each run forgets the flag.
 */
export const forgettingFlag =
  <Report>(database: Database, run: (milliseconds: number) => Promise<Report>) =>
  async (milliseconds: number): Promise<Report> => {
    if (!database.uniqueEmails) await forgetFlag(database);
    return run(milliseconds);
  };

export const writeFlag = (database: Database): Promise<void> => put(database, database.tables.directory, FLAG_KEY);

const NOT_READY =
  'Some e-mail addresses have no items yet: until "npm run verify -- --emails" has made them, nobody can take an address';

/** Makes what is called before a change is written. Where addresses need not be unique, it does nothing. */
export function createEmailCheck(database: Database) {
  /** Once all addresses have items they keep them, so a container asks until then. */
  let isReady = false;

  async function askIfReady(): Promise<boolean> {
    if (await hasFlag(database)) return true;
    // Another container may have begun since.
    if (!(await isEmpty(database))) return hasFlag(database);
    await writeFlag(database);
    return true;
  }

  /**
   * Up to three read units until a container knows that all addresses have their items. A user without an address may be the first one of a stage.
   *
   * @throws {ServiceError} 503 if one is taken before all have their items
   */
  return async (change: Pick<Change, 'before' | 'after'>): Promise<void> => {
    const isTaken = takenBy(EMAIL, change) !== undefined;
    if (!database.uniqueEmails || (change.before && !isTaken)) return;
    isReady ||= await askIfReady();
    if (isTaken && !isReady) throw unavailable(NOT_READY);
  };
}
