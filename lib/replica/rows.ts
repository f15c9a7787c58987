/** Users as the replica has them: rows. */
import type { Row } from '../columns/index.ts';
import { type ListedUser, pickFields } from '../users/user.ts';
import type { JournalEntry } from './entry.ts';
import { fieldIn, readFields, SHORT_NAMES } from './fieldText.ts';
import { setAside } from './setAside.ts';

/** A user after a write, as a text of fields; null if it is gone. */
export type Changed = readonly [id: number, text: string | null];

/** A user as a row. */
export const rowOf = ({ id, ...fields }: ListedUser): Row => ({ id, ...pickFields(fields) });

/** What a write has made of its user. */
export const changeOf = ({ id, after }: Pick<JournalEntry, 'id' | 'after'>): Changed => [id, after ?? null];

/** The rows of some changed users. Those that cannot be read are set aside. */
export function* rowsOf(changed: Iterable<Changed>): Generator<readonly [id: number, row: ListedUser | undefined]> {
  for (const [id, text] of changed) {
    try {
      yield [id, text === null ? undefined : (readFields(text, { id }) as ListedUser)];
    } catch (error) {
      setAside(`What was written of user ${id}`, error);
    }
  }
}

/** A user whose fields are read when a question needs them: a new container has many, and its first questions need few of their fields. */
class StoredRow {
  readonly id: number;
  readonly #text: string;

  constructor(id: number, text: string) {
    this.id = id;
    this.#text = text;
  }

  static {
    for (const [field, short] of SHORT_NAMES) {
      const get = function (this: StoredRow): unknown {
        try {
          return fieldIn(this.#text, short);
        } catch (error) {
          return setAside(`What was written of user ${this.id}`, error);
        }
      };
      Object.defineProperty(StoredRow.prototype, field, { get });
    }
  }
}

/** The rows of texts that could be read when they were stored. */
export const storedRowsOf = (changed: readonly Changed[]) =>
  changed.map(([id, text]) => [id, text === null ? undefined : (new StoredRow(id, text) as object as Row)] as const);
