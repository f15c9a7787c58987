/** Users in each media type of a list, one after another. */
import { stringify } from 'csv-stringify/sync';
import { escapeBreaks } from '../../ground/index.ts';
import { MEDIA } from '../../rest/index.ts';
import { attributeIn, attributeOf } from '../../users/user.ts';
import { MEMBERS, type Member, type ShownUser, type Shows } from '../parameters/fields.ts';

/** The media types of a list. */
export type CollectionType = (typeof MEDIA)['json' | 'csv' | 'ndjson'];

/**
 * A spreadsheet runs a text that begins like a formula, even after an apostrophe, white space or invisible characters:
 * https://owasp.org/www-community/attacks/CSV_Injection. An apostrophe in front makes it text. A text that already has apostrophes
 * before the formula also gets one more, so that a reader can tell which one was added. Where a comma is a decimal point, cells end at
 * semicolons, which are in no quotes here: what follows one is looked at as a text of its own.
 */
const FORMULA = /^'*[\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/u;

const APOSTROPHE = "'";

const inParts = (text: string, change: (part: string) => string): string => text.split(';').map(change).join(';');

export const escapeFormula = (text: string): string =>
  inParts(text, (part) => (FORMULA.test(part) ? APOSTROPHE + part : part));

/** Undoes `escapeFormula`: `unescapeFormula(escapeFormula(text))` is `text` for every text. */
export const unescapeFormula = (text: string): string =>
  inParts(text, (part) => (part.startsWith(APOSTROPHE) && FORMULA.test(part.slice(1)) ? part.slice(1) : part));

/** An empty text is quoted, so that a reader can tell it from a missing value. */
const toCell = (text: string) => (text === '' ? { value: text, quoted_empty: true } : escapeFormula(text));

/** JSON of an array, and of all attributes: a reader gets back what there is, whatever is in the texts. */
function cellOf(value: unknown): unknown {
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'boolean' ? String(value) : value;
}

function memberOf(user: ShownUser, column: Member): unknown {
  const name = attributeIn(column);
  return name === undefined ? user[column as keyof ShownUser] : attributeOf(user.attributes, name);
}

/** RFC 4180, without a header row and the last line break. Texts that look like formulas are escaped. */
const toRows = (users: readonly ShownUser[], columns: readonly Member[]): string =>
  stringify(
    users.map((user) => columns.map((column) => cellOf(memberOf(user, column)))),
    { record_delimiter: 'windows', eof: false, cast: { string: toCell } },
  );

/**
 * How users are written one after another. The text between two users comes before the second one, and the end at the end only: a response
 * that breaks off between two pieces lacks it.
 */
interface Form {
  begin: string;
  write: (users: readonly ShownUser[]) => string;
  between: string;
  end: string;
  /** No users at all. */
  empty: string;
}

const inJson = (between: string) => (users: readonly ShownUser[]) =>
  users.map((user) => JSON.stringify(user)).join(between);

function csvOf({ members = MEMBERS }: Shows): Form {
  const begin = `${members.join()}\r\n`;
  return { begin, write: (users) => toRows(users, members), between: '\r\n', end: '\r\n', empty: begin };
}

const NDJSON: Form = {
  begin: '',
  write: (users) => escapeBreaks(inJson('\n')(users)),
  between: '\n',
  end: '\n',
  empty: '',
};

/** How a list of a type is written. */
export function formOf(type: CollectionType, shows: Shows): Form {
  if (type === MEDIA.csv) return csvOf(shows);
  return type === MEDIA.ndjson ? NDJSON : { begin: '[', write: inJson(','), between: ',', end: ']', empty: '[]' };
}

export const written = ({ begin, write, end, empty }: Form, users: readonly ShownUser[]): string =>
  users.length === 0 ? empty : begin + write(users) + end;

/** The same in pieces. A stream sends its headers with the first piece, so there is always one. */
export async function* writtenInChunks(
  form: Form,
  chunks: AsyncIterable<readonly ShownUser[]>,
): AsyncGenerator<string> {
  let before: string | undefined;
  for await (const users of chunks) {
    yield (before ?? form.begin) + form.write(users);
    before = form.between;
  }
  yield before === undefined ? form.empty : form.end;
}
