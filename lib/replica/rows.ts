/** Rows as the replica is told of them, and as texts of the journal and of deltas. */
import type { Carried, Kinds, Row } from '../columns/index.ts';
import type { Item } from '../dynamodb/index.ts';
import type { JournalEntry } from './entry.ts';
import { quarantine } from './quarantine.ts';

/** All that the replica is told of its rows. */
export interface Rows {
  /** The kind of each field. */
  kinds: Kinds;
  /** The fields that most rows have by their ids: these take no bytes in a base. */
  carried?: Carried;
  /** The row of an item of the table; undefined for an item of another kind. */
  ofItem(item: Item): Row | undefined;
  /** The fields of a row as one text. */
  write(row: Row): string;
  /** The row of a text. @throws {SyntaxError} for one that `write` has not made */
  read(id: number, text: string): Row;
  /** The same for a text that could be read when it was stored: each field is read when a question needs it, because few questions need all. */
  readLater(id: number, text: string): Row;
  /** The moment that an id carries, in Unix milliseconds. An entry of this moment has no other. */
  momentOf(id: number): number;
}

/** A row after a write, as a text; null if it is gone. */
export type Changed = readonly [id: number, text: string | null];

/** The row that a write has made. */
export const changeOf = ({ id, after }: Pick<JournalEntry, 'id' | 'after'>): Changed => [id, after ?? null];

/** The rows of some changes. Those that cannot be read are set aside. */
export function* rowsOf(
  rows: Rows,
  changed: Iterable<Changed>,
): Generator<readonly [id: number, row: Row | undefined]> {
  for (const [id, text] of changed) {
    try {
      yield [id, text === null ? undefined : rows.read(id, text)];
    } catch (error) {
      quarantine(`The last write of ${id}`, error);
    }
  }
}

/** The rows of texts that could be read when they were stored. */
export const storedRowsOf = (rows: Rows, changed: readonly Changed[]) =>
  changed.map(([id, text]) => [id, text === null ? undefined : rows.readLater(id, text)] as const);
