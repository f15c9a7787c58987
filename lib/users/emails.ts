/**
 * At a stage with unique e-mails no two users have the same address, as it is compared. `email:<address>` has the id of its user, and is
 * written in the transaction of each change that takes or frees it. It says nothing about users who were there before: so a flag says that
 * all addresses have their items. Without it nobody takes an address.
 *
 * Version 2.0 compared otherwise, and its flag says that the items are as it made them. Where there is only that one, addresses that have
 * the same item either way are taken and freed as before, and all others stay as they are.
 */
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems } from '../dynamodb/batches.ts';
import { firstItem, rangeQuery } from '../dynamodb/query.ts';
import type { TransactionItem } from '../dynamodb/transact.ts';
import { ServiceError, unavailable } from '../errors.ts';
import { addressOf, isOfNewForm } from './addressForm.ts';
import type { Database } from './database.ts';
import { USER } from './indexes.ts';
import type { Change } from './journal/entry.ts';

const SORT_KEY = '-';
const EMAIL = 'email:';

export const emailKey = (address: string) => ({ pk: EMAIL + address, sk: SORT_KEY });

/** No address is empty. */
export const FORMER_FLAG_KEY = emailKey('');
export const FLAG_KEY = { ...FORMER_FLAG_KEY, sk: 'ascii' };

/** The address of an item; undefined for an item of another kind. */
export const addressIn = ({ pk }: Record<string, unknown>): string | undefined =>
  String(pk).startsWith(EMAIL) ? String(pk).slice(EMAIL.length) : undefined;

/** The address that a change takes. */
function takenBy({ before, after }: Pick<Change, 'before' | 'after'>): string | undefined {
  const address = addressOf(after);
  return address === addressOf(before) ? undefined : address;
}

/** The address that a change leaves to others. */
const freedBy = ({ before, after }: Change) => takenBy({ before: after, after: before });

export const putEmail = (TableName: string, address: string, id: number) => ({
  Put: { TableName, Item: { ...emailKey(address), id }, ConditionExpression: 'attribute_not_exists(pk)' },
});

/**
 * What a change writes where addresses are unique: two write units for one that is taken, and two for one that is freed. An item is
 * another user's only before all are made: then none counts, and a user may leave an address that several have.
 */
export function emailItems({ tables: { directory }, uniqueEmails }: Database, change: Change): TransactionItem[] {
  if (!uniqueEmails) return [];
  const [taken, freed] = [takenBy(change), freedBy(change)];
  return [
    ...(taken === undefined ? [] : [putEmail(directory, taken, change.id)]),
    ...(freed === undefined ? [] : [{ Delete: { TableName: directory, Key: emailKey(freed) } }]),
  ];
}

/** D20. Strongly consistent. */
async function readEmail({ dynamo, tables }: Database, Key: typeof FLAG_KEY) {
  const command = new GetCommand({ TableName: tables.directory, Key, ConsistentRead: true });
  return (await dynamo.send(command)).Item;
}

/** D21. Whether the stage has no users: whoever writes the first one writes the flag before. An index is late by less than a deployment takes. */
async function isEmpty({ dynamo, tables }: Database): Promise<boolean> {
  const all = rangeQuery({ table: tables.users, index: 'byId', partition: ['entity', USER] });
  return (await firstItem(dynamo, all)) === undefined;
}

export const hasFlag = async (database: Database, key = FLAG_KEY): Promise<boolean> =>
  (await readEmail(database, key)) !== undefined;

/** Without a flag nobody takes an address, until the items are made again. A write unit for each. */
export const forgetFlags = (database: Database, keys = [FLAG_KEY, FORMER_FLAG_KEY]): Promise<void> =>
  deleteItems(database, database.tables.directory, keys);

/** Whether all addresses have their items, as this version or the one before made them. */
export const areUnique = async (database: Database): Promise<boolean> =>
  (await hasFlag(database)) || hasFlag(database, FORMER_FLAG_KEY);

export const writeFlag = async ({ dynamo, tables }: Database): Promise<void> => {
  await dynamo.send(new PutCommand({ TableName: tables.directory, Item: FLAG_KEY }));
};

const NOT_READY =
  'Not every user has an item of the e-mail address: "npm run verify -- --emails" makes them, and until then nobody takes an address';

/** Makes what is called before a change is written. Where addresses need not be unique, it does nothing. */
export function createEmailCheck(database: Database) {
  /** Once all addresses have items they keep them, so a container asks until then. */
  let ready: 'all' | 'former' | undefined;

  async function askIfReady(): Promise<typeof ready> {
    // Beside this flag the other one says nothing: version 2.0 has run again, which does not forget it.
    if (await hasFlag(database, FORMER_FLAG_KEY)) return 'former';
    if (await hasFlag(database)) return 'all';
    // Another container may have begun since.
    if (!(await isEmpty(database))) return (await hasFlag(database)) ? 'all' : undefined;
    await writeFlag(database);
    return 'all';
  }

  /**
   * Strongly consistent: a read unit for an address that is taken when a write is repeated, and up to four until a container knows that all
   * addresses have their items.
   *
   * @throws {ServiceError} 409 if the address is another user's, 503 if one is taken before all have their items
   */
  return async (change: Pick<Change, 'id' | 'before' | 'after'>, isRepeated: boolean): Promise<void> => {
    if (!database.uniqueEmails) return;
    const { before, after } = change;
    const address = takenBy(change);
    const isOther = before?.email !== after?.email && [before, after].some(isOfNewForm);
    if (address === undefined && before && !isOther) return;
    if (ready === undefined || (ready === 'former' && isOther)) ready = await askIfReady();
    if (ready === 'former' && isOther) throw unavailable(NOT_READY);
    if (address === undefined) return;
    if (!ready) throw unavailable(NOT_READY);
    // The first time the transaction finds out.
    const item = isRepeated && (await readEmail(database, emailKey(address)));
    if (item && item.id !== change.id) throw new ServiceError('email-taken', 'There is a user with this email');
  };
}
