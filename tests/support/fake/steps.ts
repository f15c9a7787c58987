import { createFold } from '../../../lib/replica/index.ts';
import { type Database, isUser, toUser } from '../../../lib/users/database.ts';
import { represent, type UserFields } from '../../../lib/users/user.ts';
import type { ModelUser } from '../model.ts';
import type { FakeStore, Line } from './store.ts';

export const AT_ONCE = { minimumAgeMs: 0, readWithinMs: 0, restMs: 0 };

/** Folds everything, even a batch that another fold has just claimed. @returns how many entries are left */
export async function foldAll(database: Database): Promise<number> {
  const fold = createFold(database, { restMs: 0 });
  let left = (await fold.run(600_000)).left;
  for (let tries = 0; left > 0 && tries < 12; tries++) {
    await database.runtime.sleep(10_000);
    left = (await fold.run(600_000)).left;
  }
  return left;
}

/** Lets a fold claim a batch, and freeze before its next write to many items, after `after` others. */
export async function freezeFold(
  { databaseOf }: { databaseOf: (around: Line['around']) => Database },
  after = 0,
): Promise<void> {
  let writes = 0;
  const frozen = databaseOf(({ command }, execute) =>
    command === 'BatchWriteCommand' && ++writes > after ? never() : execute(),
  );
  void createFold(frozen, AT_ONCE).run(1_000);
  for (let turn = 0; turn < 20; turn++) await settled();
}

/** Throws if two values differ, and says how. */
export function differ(what: string, got: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}\n got  ${a}\n true ${b}`);
}

export const never = () => new Promise<never>(() => {});
export const settled = () => new Promise((resolve) => setImmediate(resolve));

export const named = (...lastNames: string[]): UserFields[] => lastNames.map((lastName) => ({ name: 'Ann', lastName }));

/** All users, as clients see them. */
export const usersOf = (store: FakeStore): ModelUser[] =>
  store
    .itemsOf('users')
    .filter(isUser)
    .map((item) => represent(toUser(item)) as ModelUser);
