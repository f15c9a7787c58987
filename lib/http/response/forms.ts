import { escapeBreaks } from '../../ground/index.ts';
import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE } from '../../rest/index.ts';
import type { CollectionType } from '../collectionTags.ts';
import { MEMBERS, type ShownUser, type Shows } from '../parameters/fields.ts';
import { toRows } from './csv.ts';

/**
 * How users are written one after another. What is between two users comes before the second one, and the end at the end only: a response
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

/** How a list of each type is written. */
export const FORMS: Readonly<Record<CollectionType, (shows: Shows) => Form>> = {
  [JSON_TYPE]: () => ({ begin: '[', write: inJson(','), between: ',', end: ']', empty: '[]' }),
  [CSV_TYPE]: csvOf,
  [NDJSON_TYPE]: () => ({
    begin: '',
    write: (users) => escapeBreaks(inJson('\n')(users)),
    between: '\n',
    end: '\n',
    empty: '',
  }),
};

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
