/** Users as the replica has them: rows. */
import type { Row } from '../replica/definition.ts';
import { readFields } from './fieldText.ts';
import type { JournalEntry } from './journal/entry.ts';
import { setAside } from './setAside.ts';
import { type ListedUser, pickFields } from './user.ts';

/** A user after a write, as a text of fields; undefined if it is gone. */
export type Changed = readonly [id: number, text: string | undefined];

/** A user as a row. */
export const rowOf = ({ id, ...fields }: ListedUser): Row => ({ id, ...pickFields(fields) });

/** What a write has made of its user. */
export const changeOf = ({ id, after }: Pick<JournalEntry, 'id' | 'after'>): Changed => [id, after];

/** The rows of some changed users. Those that cannot be read are set aside. */
export function* rowsOf(changed: Iterable<Changed>): Generator<readonly [id: number, row: ListedUser | undefined]> {
  for (const [id, text] of changed) {
    try {
      yield [id, text === undefined ? undefined : (readFields(text, { id }) as ListedUser)];
    } catch (error) {
      setAside(`What was written of user ${id}`, error);
    }
  }
}
