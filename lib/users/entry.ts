/** A change of a user, and its entry in the journal. */
import {
  type Growth,
  journalItem,
  type Origin,
  originOf,
  quarantine,
  type StoredChange,
  type Version,
} from '../replica/index.ts';
import { creationTime } from './ids.ts';
import { bytesBrought, type FieldValues, readFields, readUpdated, writeFields, writeUpdated } from './rows.ts';
import { attributesBack, FIELD_NAMES, isSame, pickFields, type User, type UserFields } from './user.ts';

/** A user before and after a write. Nothing is before a create or after a delete. */
export interface Change extends Origin {
  id: number;
  /** The version that the write made. A delete makes one, too. */
  version: number;
  before: User | undefined;
  after: User | undefined;
}

/** A change that was written. */
export interface WrittenChange extends Change {
  /** By the clock of the writer, in Unix milliseconds. */
  at: number;
}

/** The changes that turn `after` back into `before`, those of attributes by member: what an entry weighs is what has changed. */
function difference(before: UserFields, after: UserFields): FieldValues {
  const changed = FIELD_NAMES.filter((field) => !isSame(before[field], after[field]));
  return Object.fromEntries(
    changed.map((field) => [
      field,
      field === 'attributes' ? attributesBack(before.attributes, after.attributes) : (before[field] ?? null),
    ]),
  );
}

/** The fields before a change, by those after it and what `difference` made. */
function back(after: UserFields | undefined, changes: FieldValues): UserFields {
  const isMerged = typeof changes.attributes === 'object' && changes.attributes !== null;
  const attributes = isMerged && { ...after?.attributes, ...changes.attributes };
  return pickFields({ ...after, ...changes, ...(attributes && { attributes }) });
}

/**
 * The stored form of a change, besides its time: `after`, and the fields of `before` that differ, `updatedAt` always. Every listing reads all entries,
 * so each is one text: about 130 bytes with its key, read in a tenth of the time that the SDK takes for a map.
 */
export function storeChange(change: Change): StoredChange {
  const { id, before, after } = change;
  const textOf = (fields: FieldValues, user: User) => writeFields(fields) + writeUpdated(id, user.updatedAt);
  return {
    ...originOf(change),
    ...(after && { after: textOf(after, after) }),
    ...(before && { before: textOf(after ? difference(before, after) : before, before) }),
  };
}

/** An entry as stored, in one of some parts. A user is usually written in the millisecond of the id: then the id tells when. */
export const entryItem = (change: Change, at: number, parts = 1): Record<string, unknown> =>
  journalItem(change, storeChange(change), at === creationTime(change.id) ? undefined : at, parts);

/** The change of a version, from what is stored of it. Undefined if a text is broken: it is set aside, as if it were erased. */
export function restoreChange(
  { id, version }: Version,
  { at, before, after, ...item }: Record<string, unknown>,
): WrittenChange | undefined {
  try {
    const [text, former] = [after, before].map((each) => (each === undefined ? undefined : String(each)));
    // A change of an earlier version has its moment only.
    const updated = text !== undefined && { updatedAt: Number(at), ...readUpdated(text, id) };
    const later = text === undefined ? undefined : (readFields(text, { id, version, ...updated }) as User);
    const earlier =
      former === undefined ? undefined : { ...back(later, readFields(former, {})), ...readUpdated(former, id) };
    return {
      id,
      version,
      at: Number(at),
      ...originOf(item),
      before: earlier && { id, version: version - 1, ...earlier },
      after: later,
    };
  } catch (error) {
    quarantine(`Version ${version} of user ${id}`, error);
    return undefined;
  }
}

/** A moment that the id does not tell takes this in a base: a number, a code, and which row has it. */
const MOMENT_BYTES = 12;

/** Whether a base has a moment of a user beside the id: of one who was changed after the creation. */
const hasMoment = (user: User | undefined): boolean =>
  user?.updatedAt !== undefined && user.updatedAt !== creationTime(user.id);

/** The bytes of the values that a stored change has brought, and of those that it has taken from its user. */
export function growthOf(stored: Version & StoredChange): Growth {
  const { before, after } = restoreChange(stored, { ...stored }) ?? {};
  const moment = hasMoment(after) && !hasMoment(before) ? MOMENT_BYTES : 0;
  return { grown: bytesBrought(after, before) + moment, shrunk: bytesBrought(before, after) };
}
