import { addModulo, entryHash, entryKey } from '../../../lib/replica/internals.ts';
import { isUser, toUser } from '../../../lib/users/database.ts';
import { represent } from '../../../lib/users/user.ts';
import type { ModelUser } from '../model.ts';
import type { FakeStore } from './store.ts';

/** A write of a user, and the user after it; undefined after a delete. */
export interface Write {
  id: number;
  version: number;
  user: ModelUser | undefined;
  /** The number that it adds to the tag. */
  hash: number;
}

const writeOf = (id: number, version: number, user: ModelUser | undefined): Write => ({
  ...{ id, version, user },
  hash: entryHash(entryKey({ id, version })),
});

/** A state that a reader may see, and the sum of the hashes of all writes that it has. */
export interface State {
  users: ModelUser[];
  sum: number;
}

/** When more states than this are possible, they are not compared. */
const MAX_STATES = 2_000;

function stateOf(writes: readonly Write[]): State {
  const users = new Map<number, ModelUser | undefined>();
  for (const { id, user } of writes) users.set(id, user);
  const sum = writes.reduce((total, { hash }) => addModulo(total, hash), 0);
  return { users: [...users.values()].filter((user) => user !== undefined), sum };
}

/** The first few of a list, and any of it, chosen in every way. */
const firstOf = (list: Write[]): Write[][] => [...list.keys(), list.length].map((n) => list.slice(0, n));
const anyOf = ([first, ...others]: Write[]): Write[][] =>
  first === undefined ? [[]] : anyOf(others).flatMap((rest) => [rest, [first, ...rest]]);

/** The ways of all lists with each other. */
const together = ([ways, ...others]: readonly Write[][][]): Write[][] =>
  ways === undefined ? [[]] : together(others).flatMap((rest) => ways.map((some) => [...some, ...rest]));

/** All committed writes of users, in their order. */
export class Writes {
  private readonly store: FakeStore;
  private readonly all: Write[] = [];
  private items = new Map<number, { version: number; user: ModelUser }>();

  constructor(store: FakeStore) {
    this.store = store;
  }

  /** In the order of their commits. */
  get written(): readonly Write[] {
    return this.all;
  }

  /** Call it after each commit. */
  note(): void {
    const items = new Map(
      this.store
        .itemsOf('users')
        .filter(isUser)
        .map((item) => {
          const user = toUser(item);
          return [user.id, { version: user.version, user: represent(user) as ModelUser }];
        }),
    );
    for (const [id, { version, user }] of items) {
      if (this.items.get(id)?.version !== version) this.all.push(writeOf(id, version, user));
    }
    for (const [id, { version }] of this.items) {
      if (!items.has(id)) this.all.push(writeOf(id, version + 1, undefined));
    }
    this.items = items;
  }

  /**
   * The states with the first `certain` writes and some of the next ones: of each user the first ones, or any, if they are read side by side.
   * Undefined if there are too many.
   */
  statesBetween(certain: number, until: number, isSideBySide: boolean): State[] | undefined {
    const before = this.all.slice(0, certain);
    const byUser = new Map<number, Write[]>();
    for (const write of this.all.slice(certain, until)) byUser.set(write.id, [...(byUser.get(write.id) ?? []), write]);
    const lists = [...byUser.values()];
    const count = ({ length }: Write[]) => (isSideBySide ? 2 ** length : length + 1);
    if (lists.reduce((n, list) => n * count(list), 1) > MAX_STATES) return undefined;
    const ways = lists.map(isSideBySide ? anyOf : firstOf);
    return together(ways).map((during) => stateOf([...before, ...during]));
  }
}
