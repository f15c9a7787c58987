/** Users as the replica has them: rows. */
import type { Row } from '../replica/definition.ts';
import { readUser } from './fieldText.ts';
import type { JournalEntry } from './journal/entry.ts';
import { setAside } from './setAside.ts';
import type { ListedUser } from './user.ts';

/** A user after a write, as a text of fields; undefined if it is gone. */
export type Changed = readonly [id: number, text: string | undefined];

/** What a write has made of its user. */
export const changeOf = ({ id, after }: Pick<JournalEntry, 'id' | 'after'>): Changed => [id, after];

/** The replica has no columns of attributes. */
export const rowOf = ({ attributes: _, ...row }: ListedUser): Row => row;

/** Some changed users. Those that cannot be read are set aside. */
export function* usersOf(changed: Iterable<Changed>): Generator<readonly [id: number, user: ListedUser | undefined]> {
  for (const [id, text] of changed) {
    try {
      yield [id, text === undefined ? undefined : readUser(id, text)];
    } catch (error) {
      setAside(`What was written of user ${id}`, error);
    }
  }
}

export function* rowsOf(changed: Iterable<Changed>): Generator<readonly [id: number, row: Row | undefined]> {
  for (const [id, user] of usersOf(changed)) yield [id, user && rowOf(user)];
}
