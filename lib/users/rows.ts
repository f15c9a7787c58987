/** Users as rows of the replica. */
import type { Row } from '../columns/index.ts';
import { type Rows, setAside } from '../replica/index.ts';
import { COLUMNS } from './fields.ts';
import { type FieldValues, fieldIn, readFields, SHORT_NAMES, writeFields } from './fieldText.ts';
import { creationTime } from './ids.ts';
import { type ListedUser, pickFields } from './user.ts';
import { isUser, toUser } from './userItem.ts';

export const rowOf = ({ id, ...fields }: ListedUser): Row => ({ id, ...pickFields(fields) });

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
          return setAside(`The last write of ${this.id}`, error);
        }
      };
      Object.defineProperty(StoredRow.prototype, field, { get });
    }
  }
}

export const USER_ROWS: Rows = {
  kinds: COLUMNS,
  ofItem(item) {
    if (!isUser(item)) return undefined;
    // Lists know no versions.
    const { version: _, ...user } = toUser(item);
    return user;
  },
  write: (row) => writeFields(row as FieldValues),
  read: (id, text) => readFields(text, { id }) as Row,
  readLater: (id, text) => new StoredRow(id, text) as object as Row,
  momentOf: creationTime,
};
