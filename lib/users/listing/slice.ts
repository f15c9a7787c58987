import { keyIn, type List } from '../lists.ts';
import { WHOLE_MAP } from '../statistics/pages.ts';
import { hasFewSegments } from '../statistics/segments.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { findBracket, segmentsOfRun } from './rank.ts';
import { scan } from './scan.ts';
import { takeFrom, type Users } from './streams.ts';
import type { View } from './view.ts';

/** Users of a list from a key. */
const upward = (view: View, list: List, key: string | undefined, count: number) =>
  takeFrom(scan(view, list, { direction: 'asc', from: key, expected: count }), count);

/** Users of a list before a key, the last one first. */
const downward = (view: View, list: List, key: string | undefined, count: number) =>
  takeFrom(
    before(scan(view, list, { direction: 'desc', from: key, expected: count + Number(key !== undefined) }), list, key),
    count,
  );

async function* before(users: Users, list: List, key: string | undefined): Users {
  for await (const user of users) if (key === undefined || compareCodePoints(keyIn(list, user), key) < 0) yield user;
}

/** The users at the ranks [start, end) of a list with `total` users. */
export async function slice(view: View, list: List, start: number, end: number, total: number): Promise<User[]> {
  if (Math.min(end, total) <= start) return [];
  const near = view.database.sizes.nearUsers;
  const isNearEnd = start <= near || total - start <= near;
  const { low, high } = isNearEnd
    ? { low: { key: undefined, rank: 0 }, high: { key: undefined, rank: total } }
    : await findBracket(view, list, total, ({ rank }) => rank <= start);
  const last = Math.min(end, total);
  const [below, above] = [start - low.rank, high.rank - start];
  if (below <= above) return (await upward(view, list, low.key, below + last - start)).slice(below);
  const [before, after] = await Promise.all([
    downward(view, list, high.key, above),
    last <= high.rank ? [] : upward(view, list, high.key, last - high.rank),
  ]);
  return [...before.reverse(), ...after].slice(0, last - start);
}

/** Reads ahead what a deep page needs, while the total is read that tells whether there is such a page. */
export async function prepareSlice(view: View, { text, ...whole }: List, start: number): Promise<void> {
  if (start <= view.database.sizes.nearUsers) return;
  if (!hasFewSegments(view.database, view.journal.total)) await view.sums(whole);
  else if (text === undefined) await view.segments(whole, WHOLE_MAP.from, WHOLE_MAP.to);
  else await segmentsOfRun(view, whole, text);
}
