import { packIntegers, unpackIntegers } from '../ground/index.ts';
import { hash48 } from './hash.ts';
import { memoized } from './memoized.ts';

/** Digits of the largest id, 2^53-1. */
export const ID_DIGITS = 16;

/** As wide as the largest integer, so that the texts sort like the numbers. */
export const padded = (integer: number): string => String(integer).padStart(ID_DIGITS, '0');

/** The writer of a change, and its purpose. */
export interface Origin {
  /** The subject of the writer's token. Undefined where no token is needed. */
  by?: string | undefined;
  /** The writer's name, by the claim of the stage at that time. Undefined where the stage names none. */
  byName?: string | undefined;
  /** The name of the edit that the change is a part of. */
  edit?: string | undefined;
}

/** A write of a row. */
export interface Version {
  id: number;
  /** Rises with each write of the row. A deletion makes one, too. */
  version: number;
}

/** The stored part of a change besides its key: the fields as texts, of `before` only those that differ. */
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

/** The partitions of a journal with this number of parts. */
export const partitionsOf = (parts: number): string[] =>
  Array.from({ length: parts }, (_, i) => (i === 0 ? JOURNAL : `${JOURNAL}:${i}`));

/** As many as the milliseconds of thirty years have. */
const VERSION_DIGITS = 12;
export const MAX_VERSION = 10 ** VERSION_DIGITS - 1;

/** Entries are in the order of ids, and one user's entries newest first: a reader that meets an entry has met all newer ones. */
export const entryKey = ({ id, version }: Version): string =>
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

const ORIGIN = ['by', 'byName', 'edit'] as const satisfies (keyof Origin)[];

/** Of an item, or of anything else that has it: only what is there. */
export const originOf = (item: { readonly [Name in keyof Origin]?: unknown }): { [Name in keyof Origin]?: string } =>
  Object.fromEntries(ORIGIN.filter((name) => item[name] !== undefined).map((name) => [name, String(item[name])]));

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

/**
 * An entry as stored, in one of some parts of the journal.
 *
 * @param at by the clock of the writer, in Unix milliseconds; undefined where the id says it, in ten bytes less
 */
export const journalItem = (
  { id, version }: Version,
  change: StoredChange,
  at: number | undefined,
  parts: number,
): Record<string, unknown> => ({
  pk: partitionsOf(parts)[id % parts],
  sk: entryKey({ id, version }),
  ...(at !== undefined && { at }),
  ...change,
});

/** @param momentOf the moment that an id carries */
export function toEntry(
  { pk, sk: key, at, by, byName, edit, before, after }: Record<string, unknown>,
  momentOf: (id: number) => number,
): JournalEntry {
  const sk = String(key);
  const { id, version } = parseKey(sk);
  return {
    pk: String(pk),
    sk,
    id,
    version,
    at: Number(at ?? momentOf(id)),
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
