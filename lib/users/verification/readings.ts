import { isDeepStrictEqual } from 'node:util';
import { getItems, patiently } from '../../dynamodb/bulk.ts';
import { KIND, mark, runPrefix } from '../keys.ts';
import type { Range } from '../listing/ranges.ts';
import { scanRange } from '../listing/scan.ts';
import { cellOfRow } from '../statistics/counts.ts';
import { nameOfRow } from '../statistics/lastNames.ts';
import type { Row } from '../statistics/rows.ts';
import type { UserStoreDependencies } from '../store.ts';
import type { Held } from './difference.ts';
import { createTally, type Expected, type Tally } from './tally.ts';
import { toCountedUser } from './userItems.ts';

/** What a row held, and had to hold, at one moment. */
export interface Reading {
  held: Held;
  expected: Expected | undefined;
}

export const rowKey = ({ pk, sk }: Row): string => JSON.stringify([pk, sk]);

/** Where an index has the users that a row counts. */
export function rangeOfRow(row: Row): Range {
  const name = nameOfRow(row);
  if (name !== undefined) return { index: 'byLastName', value: KIND, run: runPrefix(mark(name)) };
  return { index: 'byStatusAndCountry', value: cellOfRow(row) ?? '' };
}

/** D6. What some rows hold, by `rowKey`. */
async function readRows(dependencies: UserStoreDependencies, rows: readonly Row[]): Promise<Map<string, Held>> {
  const keys = rows.map(({ pk, sk }) => ({ pk, sk }));
  const items = await getItems(dependencies, dependencies.tables.directory, keys);
  return new Map(items.map((item) => [rowKey({ pk: String(item.pk), sk: String(item.sk) }), item]));
}

/** U4, U5: finds the ids of users that have come into a range. */
async function findIds(dependencies: UserStoreDependencies, range: Range, ids: Set<number>): Promise<void> {
  // No key is empty, so no user can be in the range of a row whose key is not one that this service writes.
  if (range.value === '') return;
  const options = { forward: true, expected: Number.POSITIVE_INFINITY };
  for await (const { id } of scanRange(dependencies, range, options)) ids.add(id);
}

/** U6. Counts the users with these ids, as their own items tell, strongly consistent. */
async function tallyUsers(dependencies: UserStoreDependencies, ids: ReadonlySet<number>): Promise<Tally> {
  const tally = createTally();
  const keys = [...ids].map((id) => ({ id }));
  const users = (await getItems(dependencies, dependencies.tables.users, keys)).map(toCountedUser);
  for (const user of users.sort((a, b) => a.id - b.id)) tally.add(user);
  return tally;
}

/**
 * Reads some rows whose users are in one range, their users, and both again. Of the rows that stood still meanwhile, as did
 * their users, the result tells what they hold and have to hold.
 *
 * An index may be late. It only adds to the ids that are known: membership is decided by the users' own items, so
 * an entry that is stale does no harm.
 *
 * @param ids of users that may be in the range; those found there are added
 */
export async function readStill(
  dependencies: UserStoreDependencies,
  { range, rows, ids }: { range: Range; rows: readonly Row[]; ids: Set<number> },
): Promise<Map<string, Reading>> {
  const readUsers = async () => {
    await patiently(dependencies, () => findIds(dependencies, range, ids));
    return tallyUsers(dependencies, ids);
  };
  const before = await readRows(dependencies, rows);
  const first = await readUsers();
  const after = await readRows(dependencies, rows);
  const still = rows.filter((row) => isDeepStrictEqual(before.get(rowKey(row)), after.get(rowKey(row))));
  if (still.length === 0) return new Map();
  const second = await readUsers();
  return new Map(
    still
      .filter((row) => first.signature(row) === second.signature(row))
      .map((row) => [rowKey(row), { held: after.get(rowKey(row)), expected: second.expected(row) }]),
  );
}
