/** Users as rows of the replica, and their fields as one text, which lists read again and again: two thirds of the bytes of JSON, and read as fast. */
import { ATTRIBUTES_SHORT, FIELDS, UPDATED_SHORT } from '../../schemas/fields.ts';
import type { Row } from '../columns/index.ts';
import { quarantine, type Rows } from '../replica/index.ts';
import { COLUMNS } from './columns.ts';
import { isUser, toUser } from './database.ts';
import { creationTime } from './ids.ts';
import { FIELD_NAMES, type FieldName, type ListedUser, pickFields } from './user.ts';

/** Values of fields. null takes one away. */
export type FieldValues = { readonly [Field in FieldName]?: unknown };

/** Each field, and its name in texts. */
const SHORT_NAMES = FIELD_NAMES.map(
  (field) => [field, field === 'attributes' ? ATTRIBUTES_SHORT : FIELDS[field].short] as const,
);

/** Neither is in a value: values have no control characters. */
const END = '\0';
const NOT_A_TEXT = '\u0001';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : NOT_A_TEXT + JSON.stringify(value));

/** The short name of each field that is given, followed by its value. */
export const writeFields = (fields: FieldValues): string =>
  SHORT_NAMES.filter(([field]) => fields[field] !== undefined)
    .map(([field, short]) => short + textOf(fields[field]) + END)
    .join('');

/** The bytes of a user's fields, without the id. 0 for nobody. */
export const bytesOfFields = (fields: FieldValues | undefined): number =>
  fields ? Buffer.byteLength(writeFields(fields)) : 0;

/** Each value of a user as a text, by the column of lists that has it: one of a field, or one of the attributes of a name. */
function valuesOf({ attributes, ...fields }: FieldValues = {}): Map<string, string> {
  const plain = SHORT_NAMES.map(
    ([field, short]) => [short, field === 'attributes' ? undefined : fields[field]] as const,
  );
  const members = Object.entries(attributes ?? {}).map(([name, value]) => [ATTRIBUTES_SHORT + name, value] as const);
  const found = [...plain, ...members].filter(([, value]) => value !== undefined && value !== null);
  return new Map(found.map(([column, value]) => [column, textOf(value)]));
}

/**
 * The bytes of the values that a user has and had not. Lists keep an equal value of many users once, so each of them may be one more to keep. An array is one
 * value. The name of a column counts where the user had none of its values.
 */
export function bytesBrought(after: FieldValues | undefined, before: FieldValues | undefined): number {
  const known = valuesOf(before);
  const brought = [...valuesOf(after)].filter(([column, text]) => known.get(column) !== text);
  const texts = brought.map(([column, text]) => (known.has(column) ? text : column + text));
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** The field of a text that has a short name. @throws {SyntaxError} for a text that `writeFields` has not made */
function fieldIn(text: string, short: string): unknown {
  if (text !== '' && !text.endsWith(END)) throw new SyntaxError('A field has no end');
  const start = text.startsWith(short) ? 0 : text.indexOf(END + short) + 1;
  if (start === 0 && !text.startsWith(short)) return undefined;
  const end = text.indexOf(END, start);
  const isText = text.charAt(start + 1) !== NOT_A_TEXT;
  return isText ? text.slice(start + 1, end) : JSON.parse(text.slice(start + 2, end));
}

/** Adds the fields of a text to others. Ignores names that are no field's. @throws {SyntaxError} */
export function readFields<Others extends object>(text: string, others: Others): Others & FieldValues {
  const found = SHORT_NAMES.map(([field, short]) => [field, fieldIn(text, short)]);
  return Object.assign(others, Object.fromEntries(found.filter(([, value]) => value !== undefined)));
}

export const rowOf = ({ id, updatedAt, ...fields }: ListedUser): Row => ({
  id,
  ...pickFields(fields),
  ...(updatedAt !== undefined && { updatedAt }),
});

/** Digits of milliseconds in texts: two thirds of the bytes of a decimal number. */
const RADIX = 36;

/** The end of a user's text: how many milliseconds after the creation the user was last changed. */
export const writeUpdated = (id: number, updatedAt: number | undefined): string =>
  updatedAt === undefined ? '' : UPDATED_SHORT + (updatedAt - creationTime(id)).toString(RADIX) + END;

/** `updatedAt` by the text of a user, if the text has it. @throws {SyntaxError} */
export function readUpdated(text: string, id: number): { updatedAt?: number } {
  const after = fieldIn(text, UPDATED_SHORT);
  if (after === undefined) return {};
  const updatedAt = creationTime(id) + Number.parseInt(String(after), RADIX);
  if (!Number.isSafeInteger(updatedAt)) throw new SyntaxError('A moment is no number');
  return { updatedAt };
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
          return quarantine(`The last write of ${this.id}`, error);
        }
      };
      Object.defineProperty(StoredRow.prototype, field, { get });
    }
  }

  get updatedAt(): unknown {
    try {
      return readUpdated(this.#text, this.id).updatedAt;
    } catch (error) {
      return quarantine(`The last write of ${this.id}`, error);
    }
  }
}

export const USER_ROWS: Rows = {
  kinds: COLUMNS,
  carried: { updatedAt: creationTime },
  ofItem(item) {
    if (!isUser(item)) return undefined;
    // Lists know no versions.
    const { version: _, ...user } = toUser(item);
    return user;
  },
  write: (row) => writeFields(row as FieldValues) + writeUpdated(row.id, (row as ListedUser).updatedAt),
  read: (id, text) => readFields(text, { id, ...readUpdated(text, id) }) as Row,
  readLater: (id, text) => new StoredRow(id, text) as object as Row,
  momentOf: creationTime,
};
