/**
 * At a stage with unique e-mails no two users have the same address, as it is compared. `email:<address>` has the id of its user, and is
 * written in the transaction of each change that takes or frees it. It says nothing about users who were there before: so a flag says that
 * all addresses have their items. Without it nobody takes an address.
 *
 * Earlier versions compared in other forms, and each flag says in which one the items are. Where it is an earlier one, addresses that have the
 * same item either way are taken and freed as before, and all others stay as they are.
 */
import { deleteItems, put, queryFirst } from '../dynamodb/index.ts';
import { unavailable } from '../ground/index.ts';
import { ALL_FORMS, addressOf, type Form, PRESENT } from './addressForm.ts';
import type { Database } from './database.ts';
import type { Change } from './entry.ts';
import { EMAIL, readUnique, takenBy, uniqueKey } from './unique.ts';
import { USER } from './userItem.ts';

/** No address is empty. */
export const flagKey = (form: Form) => ({ ...uniqueKey(EMAIL, ''), sk: form });

/** D21. Whether the stage has no users: whoever writes the first one writes the flag before. An index is late by less than a deployment takes. */
export async function isEmpty(database: Database): Promise<boolean> {
  const all = { table: database.tables.users, index: 'byId', partition: ['entity', USER] as const };
  return (await queryFirst(database, all)) === undefined;
}

const hasFlag = async (database: Database, form: Form): Promise<boolean> =>
  (await readUnique(database, flagKey(form))) !== undefined;

/** Without a flag nobody takes an address, until the items are made again. A write unit for each. */
export const forgetFlags = (database: Database, forms: readonly Form[] = ALL_FORMS): Promise<void> =>
  deleteItems(database, database.tables.directory, forms.map(flagKey));

/** The form of the items that all addresses have. Of several it is the oldest: its version has run again, and forgets no newer flag. */
export async function readForm(database: Database): Promise<Form | undefined> {
  for (const form of ALL_FORMS) if (await hasFlag(database, form)) return form;
  return undefined;
}

export const writeFlag = (database: Database): Promise<void> =>
  put(database, database.tables.directory, flagKey(PRESENT));

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
   * Up to five read units until a container knows that all addresses have their items.
   *
   * @throws {ServiceError} 503 if one is taken before all have their items
   */
  return async (change: Pick<Change, 'before' | 'after'>): Promise<void> => {
    if (!database.uniqueEmails) return;
    const { before, after } = change;
    const address = takenBy(EMAIL, change);
    const changed = before?.email === after?.email ? [] : [before, after];
    const isOther = (form: Form) => changed.some((user) => addressOf(user, form) !== addressOf(user));
    if (address === undefined && before && !ALL_FORMS.some(isOther)) return;
    if (ready === undefined || isOther(ready)) ready = await askIfReady();
    if ((ready && isOther(ready)) || (address !== undefined && !ready)) throw unavailable(NOT_READY);
  };
}
