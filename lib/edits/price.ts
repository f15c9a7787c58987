/** What an edit would cost, in request units of DynamoDB. tests/integration/http/edits.test.ts compares it with what one costs. */
import type { EditPreview } from '../../schemas/edits.ts';
import { storeChange } from '../users/entry.ts';
import { USERS_INDEXES } from '../users/indexes.ts';
import { EMAIL, EXTERNAL_ID, takenBy } from '../users/unique.ts';
import type { User } from '../users/user.ts';
import { USER, userItem } from '../users/userItem.ts';

/** A write unit, and a strongly consistent read. */
const WRITTEN_BYTES = 1_024;
const READ_BYTES = 4_096;

/** The key and the attributes of an entry, besides its texts. */
const ENTRY_BYTES = 100;

/** What a change costs in the feed, in deltas, merges and sweeps, and what folds read: measured with `npm run bench`, where it is most. */
const LATER = { write: 1.2, read: 0.3 };

/** What the steps of an edit cost for each of their hundred users. */
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
export const unitsOfReading = (user: User): Units => ({ read: Math.ceil(bytesOf(user) / READ_BYTES), write: 0 });

/** Changing or deleting a user. In a transaction the items of tables cost twice as much, those of indexes do not. */
export function unitsOfChange(before: User, after: User | undefined, hasUniqueEmails: boolean): Units {
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
