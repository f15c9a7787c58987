import { memoized } from '../ground/index.ts';
import { attributesBack, isSame } from '../users/attributes.ts';
import { creationTime, padded } from '../users/ids.ts';
import { FIELD_NAMES, pickFields, type User, type UserFields } from '../users/user.ts';
import { packIntegers, unpackIntegers } from './bytes.ts';
import { type FieldValues, readFields, writeFields } from './fieldText.ts';
import { hash48 } from './hash.ts';
import { setAside } from './setAside.ts';

/** Who wrote a change, and for what. */
export interface Origin {
  /** The subject of the writer's token. Undefined where no token is needed. */
  by?: string | undefined;
  /** What the claim of the stage called the writer, then. Undefined where the stage names none. */
  byName?: string | undefined;
  /** The name of the edit that the change is a part of. */
  edit?: string | undefined;
}

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

/** What is stored of a change besides its key: the fields as texts, of `before` only those that differ. */
export interface StoredChange extends Origin {
  before?: string | undefined;
  after?: string | undefined;
}

/** A change in the journal, as it is stored: texts are read when somebody needs them. */
export interface JournalEntry extends StoredChange {
  /** The partition: the part of the journal. */
  pk: string;
  /** The sort key. */
  sk: string;
  id: number;
  version: number;
  /** By the clock of the writer, in Unix milliseconds. */
  at: number;
}

/** The first part of the journal. The head is in it. */
export const JOURNAL = 'journal';

/** Four take more writes a second than the index of all users. */
export const MOST_PARTS = 4;

/** The partitions of a journal of so many parts. */
export const partitionsOf = (parts: number): string[] =>
  Array.from({ length: parts }, (_, i) => (i === 0 ? JOURNAL : `${JOURNAL}:${i}`));

/** As many as the milliseconds of thirty years have. */
export const VERSION_DIGITS = 12;
export const MAX_VERSION = 10 ** VERSION_DIGITS - 1;

/** Entries are in the order of ids, and one user's entries newest first: a reader that meets an entry has met all newer ones. */
export const entryKey = ({ id, version }: Pick<Change, 'id' | 'version'>): string =>
  padded(id) + String(MAX_VERSION - version).padStart(VERSION_DIGITS, '0');

/** The keys between which all entries of a user are. */
export const entriesOf = (id: number): { from: string; to: string } => ({
  from: entryKey({ id, version: MAX_VERSION }),
  to: entryKey({ id, version: 0 }),
});

const ID_END = -VERSION_DIGITS;

function parseKey(sk: string): { id: number; version: number } {
  return { id: Number(sk.slice(0, ID_END)), version: MAX_VERSION - Number(sk.slice(ID_END)) };
}

/** 48 bits that stand for one write: no other write has the same id and version. Lists read an entry many times before it is folded. */
export const entryHash = memoized(hash48);

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

const ORIGIN = ['by', 'byName', 'edit'] as const satisfies (keyof Origin)[];

/** Of an item, or of anything else that has it: only what is there. */
export const originOf = (item: { readonly [Name in keyof Origin]?: unknown }): { [Name in keyof Origin]?: string } =>
  Object.fromEntries(ORIGIN.filter((name) => item[name] !== undefined).map((name) => [name, String(item[name])]));

/**
 * What is stored of a change, besides its time: `after`, and the fields of `before` that differ. Every listing reads all entries,
 * so each is one text: about 130 bytes with its key, read in a tenth of the time that the SDK takes for a map.
 */
export function storeChange(change: Change): StoredChange {
  const { before, after } = change;
  return {
    ...originOf(change),
    ...(after && { after: writeFields(after) }),
    ...(before && { before: writeFields(after ? difference(before, after) : before) }),
  };
}

/** An entry as stored, in one of so many parts. A user is usually written in the millisecond of the id: then the id tells when, in ten bytes less. */
export const entryItem = (change: Change, at: number, parts = 1): Record<string, unknown> => ({
  pk: partitionsOf(parts)[change.id % parts],
  sk: entryKey(change),
  ...(at !== creationTime(change.id) && { at }),
  ...storeChange(change),
});

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

/** The change of a version, from what is stored of it. Undefined if a text is broken: it is set aside, as if it were erased. */
export function restoreChange(
  { id, version }: Pick<Change, 'id' | 'version'>,
  { at, before, after, ...item }: Record<string, unknown>,
): WrittenChange | undefined {
  try {
    const later = after === undefined ? undefined : (readFields(String(after), { id, version }) as User);
    const earlier = before === undefined ? undefined : back(later, readFields(String(before), {}));
    return {
      id,
      version,
      at: Number(at),
      ...originOf(item),
      before: earlier && { id, version: version - 1, ...earlier },
      after: later,
    };
  } catch (error) {
    setAside(`Version ${version} of user ${id}`, error);
    return undefined;
  }
}

export function toEntry({ pk, sk: key, at, by, byName, edit, before, after }: Record<string, unknown>): JournalEntry {
  const sk = String(key);
  const { id, version } = parseKey(sk);
  return {
    pk: String(pk),
    sk,
    id,
    version,
    at: Number(at ?? creationTime(id)),
    by: textOf(by),
    byName: textOf(byName),
    edit: textOf(edit),
    before: textOf(before),
    after: textOf(after),
  };
}

/** Packs the keys of entries, in their order, into about six bytes each. */
export function packKeys(keys: readonly string[]): Uint8Array {
  let last = 0;
  return packIntegers(
    keys.map(parseKey).flatMap(({ id, version }) => {
      const step = id - last;
      last = id;
      return [step, version];
    }),
  );
}

export function unpackKeys(packed: Uint8Array): string[] {
  const integers = unpackIntegers(packed);
  const keys: string[] = [];
  for (let i = 0, id = 0; i < integers.length; i += 2) {
    id += integers[i] ?? 0;
    keys.push(entryKey({ id, version: integers[i + 1] ?? 0 }));
  }
  return keys;
}
