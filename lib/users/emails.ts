/**
 * At a stage with unique e-mails no two users have the same address, as it is compared. `email:<address>` has the id of its user, and is
 * written in the transaction of each change that takes or frees it. It says nothing about users who were there before: so a flag says that
 * all addresses have their items. Without it nobody takes an address.
 *
 * Earlier versions compared in other forms, and each flag says in which one the items are. Where it is an earlier one, addresses that have the
 * same item either way are taken and freed as before, and all others stay as they are.
 */
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems } from '../dynamodb/batches.ts';
import { firstItem, rangeQuery } from '../dynamodb/query.ts';
import type { TransactionItem } from '../dynamodb/transact.ts';
import { ServiceError, unavailable } from '../errors.ts';
import { ALL_FORMS, addressOf, type Form, PRESENT } from './addressForm.ts';
import type { Database } from './database.ts';
import { USER } from './indexes.ts';
import type { Change } from './journal/entry.ts';

const SORT_KEY = '-';
const EMAIL = 'email:';

export const emailKey = (address: string) => ({ pk: EMAIL + address, sk: SORT_KEY });

/** No address is empty. */
export const flagKey = (form: Form) => ({ ...emailKey(''), sk: form });

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
async function readEmail({ dynamo, tables }: Database, Key: ReturnType<typeof emailKey>) {
  const command = new GetCommand({ TableName: tables.directory, Key, ConsistentRead: true });
  return (await dynamo.send(command)).Item;
}

/** D21. Whether the stage has no users: whoever writes the first one writes the flag before. An index is late by less than a deployment takes. */
async function isEmpty({ dynamo, tables }: Database): Promise<boolean> {
  const all = rangeQuery({ table: tables.users, index: 'byId', partition: ['entity', USER] });
  return (await firstItem(dynamo, all)) === undefined;
}

const hasFlag = async (database: Database, form: Form): Promise<boolean> =>
  (await readEmail(database, flagKey(form))) !== undefined;

/** Without a flag nobody takes an address, until the items are made again. A write unit for each. */
export const forgetFlags = (database: Database, forms: readonly Form[] = ALL_FORMS): Promise<void> =>
  deleteItems(database, database.tables.directory, forms.map(flagKey));

/** The form of the items that all addresses have. Of several it is the oldest: its version has run again, and forgets no newer flag. */
export async function readForm(database: Database): Promise<Form | undefined> {
  for (const form of ALL_FORMS) if (await hasFlag(database, form)) return form;
  return undefined;
}

export const writeFlag = async ({ dynamo, tables }: Database): Promise<void> => {
  await dynamo.send(new PutCommand({ TableName: tables.directory, Item: flagKey(PRESENT) }));
};

const NOT_READY =
  'Not every user has an item of the e-mail address: "npm run verify -- --emails" makes them, and until then nobody takes an address';

/** Makes what is called before a change is written. Where addresses need not be unique, it does nothing. */
export function createEmailCheck(database: Database) {
  /** Once all addresses have items they keep them, so a container asks until then. */
  let ready: Form | undefined;

  async function askIfReady(): Promise<typeof ready> {
    const form = await readForm(database);
    if (form) return form;
    // Another container may have begun since.
    if (!(await isEmpty(database))) return (await hasFlag(database, PRESENT)) ? PRESENT : undefined;
    await writeFlag(database);
    return PRESENT;
  }

  /**
   * Strongly consistent: a read unit for an address that is taken when a write is repeated, and up to five until a container knows that all
   * addresses have their items.
   *
   * @throws {ServiceError} 409 if the address is another user's, 503 if one is taken before all have their items
   */
  return async (change: Pick<Change, 'id' | 'before' | 'after'>, isRepeated: boolean): Promise<void> => {
    if (!database.uniqueEmails) return;
    const { before, after } = change;
    const address = takenBy(change);
    const changed = before?.email === after?.email ? [] : [before, after];
    const isOther = (form: Form) => changed.some((user) => addressOf(user, form) !== addressOf(user));
    if (address === undefined && before && !ALL_FORMS.some(isOther)) return;
    if (ready === undefined || isOther(ready)) ready = await askIfReady();
    if (ready && isOther(ready)) throw unavailable(NOT_READY);
    if (address === undefined) return;
    if (!ready) throw unavailable(NOT_READY);
    // The first time the transaction finds out.
    const item = isRepeated && (await readEmail(database, emailKey(address)));
    if (item && item.id !== change.id) throw new ServiceError('email-taken', 'There is a user with this email');
  };
}
