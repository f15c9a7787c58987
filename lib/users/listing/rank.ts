import { SEPARATOR } from '../keys.ts';
import { keyIn, type List, runEnd, runStart } from '../lists.ts';
import { FIRST_BOUND } from '../statistics/pages.ts';
import { hasFewSegments, type Segment } from '../statistics/segments.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { scan } from './scan.ts';
import type { View } from './view.ts';

/** A key of a list, or one of its ends, and the number of users before it. */
interface Bound {
  key: string | undefined;
  rank: number;
}

/** The two nearest places with known ranks around a place in a list. */
interface Bracket {
  low: Bound;
  high: Bound;
}

const wholeOf = ({ index, partition }: List): List => ({ index, partition });

/** The bracket of a place among segments that begin at `low` and end at `high`. */
function bracketIn(segments: readonly Segment[], low: Bound, high: Bound, isBelow: (bound: Bound) => boolean): Bracket {
  let rank = low.rank;
  let bracket = { low, high };
  for (const [i, { from, users }] of segments.entries()) {
    const bound = { key: from === FIRST_BOUND ? undefined : from, rank };
    if (i > 0 && !isBelow(bound)) break;
    rank += users;
    const next = segments[i + 1];
    bracket = { low: bound, high: next ? { key: next.from, rank } : high };
  }
  return bracket;
}

/** The segment that contains a place of a list. Costs up to six read units, in one call or in two successive ones. */
async function findBracket(
  view: View,
  list: List,
  total: number,
  isBelow: (bound: Bound) => boolean,
): Promise<Bracket> {
  const start = { key: undefined, rank: 0 };
  const end = { key: undefined, rank: total };
  if (total <= view.database.sizes.segmentUsers) return { low: start, high: end };
  // Without sums the whole list is one part.
  const sums = hasFewSegments(view.database, total) ? [] : await view.sums(list);
  const part = bracketIn(sums, start, end, isBelow);
  const segments = await view.segments(list, part.low.key ?? FIRST_BOUND, part.high.key);
  const users = segments.reduce((sum, segment) => sum + segment.users, 0);
  // A list may lack segments while it is repaired.
  return users === part.high.rank - part.low.rank ? bracketIn(segments, part.low, part.high, isBelow) : part;
}

const ALL = Number.POSITIVE_INFINITY;

async function take(users: AsyncIterable<User>, count: number): Promise<User[]> {
  const taken: User[] = [];
  if (count > 0) {
    for await (const user of users) {
      taken.push(user);
      if (taken.length === count) break;
    }
  }
  return taken;
}

/** Users of a list from a key. */
const upward = (view: View, list: List, key: string | undefined, count: number) =>
  take(scan(view, list, { direction: 'asc', from: key, expected: count }), count);

/** Users of a list before a key, the last one first. */
const downward = (view: View, list: List, key: string | undefined, count: number) =>
  take(
    before(scan(view, list, { direction: 'desc', from: key, expected: count + Number(key !== undefined) }), list, key),
    count,
  );

async function* before(users: AsyncIterable<User>, list: List, key: string | undefined) {
  for await (const user of users) if (key === undefined || compareCodePoints(keyIn(list, user), key) < 0) yield user;
}

/** The users at the ranks [start, end) of a whole partition with `total` users. */
async function sliceWhole(view: View, list: List, start: number, end: number, total: number): Promise<User[]> {
  const near = view.database.sizes.nearUsers;
  const isNearEnd = start <= near || total - start <= near;
  const { low, high } = isNearEnd
    ? { low: { key: undefined, rank: 0 }, high: { key: undefined, rank: total } }
    : await findBracket(view, list, total, ({ rank }) => rank <= start);
  const [below, above] = [start - low.rank, high.rank - start];
  if (below <= above) return (await upward(view, list, low.key, below + end - start)).slice(below);
  const [before, after] = await Promise.all([
    downward(view, list, high.key, above),
    end <= high.rank ? [] : upward(view, list, high.key, end - high.rank),
  ]);
  return [...before.reverse(), ...after].slice(0, end - start);
}

/** How many users of a list are before a key. */
async function rankOf(view: View, list: List, key: string): Promise<number> {
  const total = await view.sizeOf(list);
  const { low } = await findBracket(view, list, total, (bound) => compareCodePoints(bound.key ?? '', key) <= 0);
  if (low.key === key) return low.rank;
  let rank = low.rank;
  for await (const user of scan(view, list, { direction: 'asc', from: low.key, to: key, expected: ALL })) {
    if (compareCodePoints(keyIn(list, user), key) < 0) rank++;
  }
  return rank;
}

/** The ranks [start, end) of a run in the list of its whole partition. */
export async function ranksOfRun(view: View, list: List): Promise<[start: number, end: number]> {
  const whole = wholeOf(list);
  const { text = '' } = list.run ?? {};
  return Promise.all([rankOf(view, whole, runStart(list, text)), rankOf(view, whole, runEnd(list, text))]);
}

/** The sort text that all users of the segment at a rank have. Undefined if they differ. Long runs have segments of their own. */
export async function runAt(view: View, list: List, rank: number, total: number): Promise<string | undefined> {
  if (list.index.order === 'id') return undefined;
  const { low, high } = await findBracket(view, list, total, (bound) => bound.rank <= rank);
  if (low.key === undefined || high.key === undefined) return undefined;
  const run = low.key.slice(0, low.key.indexOf(SEPARATOR) + 1);
  return run !== '' && high.key.startsWith(run) ? run.slice(0, -1) : undefined;
}

/** How many users a run has. */
export async function countRun(view: View, list: List): Promise<number> {
  const few = view.database.sizes.nearUsers;
  const users = await take(scan(view, list, { direction: 'asc', expected: 20 }), few);
  if (users.length < few) return users.length;
  const [start, end] = await ranksOfRun(view, list);
  return end - start;
}

/** The users at the ranks [start, end) of a list with `total` users. */
export async function slice(view: View, list: List, start: number, end: number, total: number): Promise<User[]> {
  const last = Math.min(end, total);
  if (last <= start) return [];
  if (!list.run) return sliceWhole(view, list, start, last, total);
  const near = view.database.sizes.nearUsers;
  if (start <= near) return (await upward(view, list, undefined, last)).slice(start);
  if (total - start <= near)
    return (await downward(view, list, undefined, total - start)).reverse().slice(0, last - start);
  const [offset] = await ranksOfRun(view, list);
  const whole = wholeOf(list);
  return sliceWhole(view, whole, offset + start, offset + last, await view.sizeOf(whole));
}

/** Reads ahead what a deep page needs, while the total is read that tells whether there is such a page. */
export async function prepareSlice(view: View, list: List, start: number): Promise<void> {
  const { database, journal } = view;
  if (start > database.sizes.nearUsers && !hasFewSegments(database, journal.total)) await view.sums(list);
}
