/** An edit before it is one: what it would do, and cost. tests/integration/http/edits.test.ts compares the price with what one costs. */
import { type EditPreview, MAX_EXAMPLES } from '../../schemas/edits.ts';
import { MAX_LOOKED_AT } from '../../schemas/limits.ts';
import { UNIT_PRICES } from '../../schemas/prices.ts';
import { ServiceError } from '../ground/index.ts';
import { type Database, USER, userItem } from '../users/database.ts';
import { storeChange } from '../users/entry.ts';
import { USERS_INDEXES } from '../users/indexes.ts';
import type { UserStream } from '../users/questions.ts';
import { EMAIL, EXTERNAL_ID, takenBy } from '../users/unique.ts';
import { hasFields, type ListedUser, pickFields, type User, type UserFields } from '../users/user.ts';

/** All fields of a user after the edit. @throws {ServiceError} 400 if no user could have them */
export type Apply = (user: User) => UserFields;

/** A user before and after: undefined if there is none then. There is one before or after. */
export interface Example {
  before: User | undefined;
  after: User | undefined;
}

export interface Preview extends Omit<EditPreview, 'examples'> {
  /** The first who would be changed. */
  examples: Example[];
}

/** Lists know no versions, which have a few digits. */
const VERSION = 100;

/** The user before and after the edit: undefined if it stays as it is, or cannot be changed so. */
function changeOf(before: User, apply: Apply | undefined): Example | undefined {
  if (!apply) return { before, after: undefined };
  try {
    const fields = pickFields(apply(before));
    return hasFields(before, fields)
      ? undefined
      : { before, after: { ...fields, id: before.id, version: VERSION + 1 } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
}

/** A write unit, and a strongly consistent read. */
const WRITTEN_BYTES = 1_024;
const READ_BYTES = 4_096;

/** The key and the attributes of an entry, besides its texts. */
const ENTRY_BYTES = 100;

/** Units of a change in the feed, in deltas, merges and sweeps, and of the reads of folds: measured with `npm run bench`, where it is most. */
const LATER = { write: 1.2, read: 0.3 };

/** Units of the steps of an edit for each of their hundred users. */
const OF_STEPS = 0.02;

type Units = EditPreview['units'];

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const unitsOf = (bytes: number): number => Math.ceil(bytes / WRITTEN_BYTES);

/** How many writes the indexes get: one for an item that comes, goes or changes, two for one that moves. */
function writesOfIndexes(before: User, after: User | undefined): number {
  const keys = USERS_INDEXES.map(({ partitionKey }) => partitionKey);
  const keyOf = (user: User | undefined, key: (typeof keys)[number]) => user && (key === 'entity' ? USER : user[key]);
  return keys.reduce((writes, key) => {
    const values = new Set([keyOf(before, key), keyOf(after, key)]);
    values.delete(undefined);
    return writes + values.size;
  }, 0);
}

/** Reading a user, and leaving it as it is. */
const unitsOfReading = (user: User): Units => ({ read: Math.ceil(bytesOf(user) / READ_BYTES), write: 0 });

/** Changing, deleting or bringing back a user: the last two cost the same. In a transaction the items of tables cost twice as much, those of indexes do not. */
export function unitsOfChange({ before: was, after: is }: Example, hasUniqueEmails: boolean): Units {
  const [before, after] = was ? [was, is] : [is, was];
  if (!before) return { read: 0, write: 0 };
  const item = unitsOf(Math.max(...[before, after].map((user) => (user ? bytesOf(userItem(user)) : 0))));
  const change = { id: before.id, version: before.version + 1, before, after };
  const entry = unitsOf(ENTRY_BYTES + bytesOf(storeChange(change)));
  const freed = { before: after, after: before };
  const values = (hasUniqueEmails ? [EXTERNAL_ID, EMAIL] : [EXTERNAL_ID]).filter(
    (unique) => takenBy(unique, freed) !== undefined,
  );
  const now = (2 + writesOfIndexes(before, after)) * item + 2 * entry + 2 * values.length;
  // The entry is put into the history, and deleted from the journal.
  const later = 2 * entry + LATER.write;
  return { read: unitsOfReading(before).read + LATER.read, write: now + later + OF_STEPS };
}

/** Digits that an estimate is good for. */
const rounded = (dollars: number): number => Number(dollars.toPrecision(3));

/** The units of all users, by those of some, with a reading of the journal, and their price. */
export function priced({ read, write }: Units, part: number): Pick<EditPreview, 'units' | 'dollars'> {
  const units = { read: Math.round(read * part) + 1, write: Math.round(write * part) };
  return { units, dollars: rounded(units.read * UNIT_PRICES.readUnit + units.write * UNIT_PRICES.writeUnit) };
}

/** The preview of an edit: its effect on some users, and its cost. One read of the journal. */
export async function previewOf(
  { uniqueEmails = false }: Pick<Database, 'uniqueEmails'>,
  { users, total, notDates }: Pick<UserStream, 'users' | 'total'> & { notDates?: number },
  apply: Apply | undefined,
): Promise<Preview> {
  const examples: Example[] = [];
  const step = Math.max(1, Math.ceil(total / MAX_LOOKED_AT));
  let [place, read, write] = [0, 0, 0];
  const look = (user: ListedUser): void => {
    const before = { ...user, version: VERSION };
    const change = changeOf(before, apply);
    const units = change ? unitsOfChange(change, uniqueEmails) : unitsOfReading(before);
    read += units.read;
    write += units.write;
    if (change && examples.length < MAX_EXAMPLES) examples.push(change);
  };
  for await (const some of users) for (const user of some) if (place++ % step === 0) look(user);
  const looked = Math.max(1, Math.ceil(total / step));
  return {
    ...{ total, ...(notDates !== undefined && { notDates }), examples },
    ...priced({ read, write }, total / looked),
  };
}
