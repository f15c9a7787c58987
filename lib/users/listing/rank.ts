import { SEPARATOR } from '../keys.ts';
import { isById, isCounted, keyIn, type List, runEnd, runStart, valuesOf } from '../lists.ts';
import { FIRST_BOUND, WHOLE_MAP } from '../statistics/pages.ts';
import { aimOf, hasFewSegments, type Segment } from '../statistics/segments.ts';
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

const usersIn = (segments: readonly Segment[]): number => segments.reduce((sum, { users }) => sum + users, 0);

/** The segment that contains a place of a whole partition. Costs up to six read units, in one call or in two successive ones. */
async function bracketInPartition(
  view: View,
  list: List,
  total: number,
  isBelow: (bound: Bound) => boolean,
): Promise<Bracket> {
  // Without sums the whole list is one part.
  const sums = hasFewSegments(view.database, total) ? [] : await view.sums(list);
  const part = bracketIn(sums, ...endsOf(total), isBelow);
  const segments = await view.segments(list, part.low.key ?? FIRST_BOUND, part.high.key);
  // A list may lack segments while it is repaired.
  return usersIn(segments) === part.high.rank - part.low.rank
    ? bracketIn(segments, part.low, part.high, isBelow)
    : part;
}

/**
 * The segments of a run. A run that is not within one segment begins and ends with one, so there are none for a short run, or
 * while the list is not cut or is being repaired.
 */
async function segmentsOfRun(view: View, whole: List, text: string): Promise<Segment[]> {
  const [from, to] = [runStart(whole, text), runEnd(whole, text)];
  const segments = await view.segments(whole, from, `${to}${SEPARATOR}`);
  return segments[0]?.from === from && segments.at(-1)?.from === to ? segments.slice(0, -1) : [];
}

const endsOf = (total: number): [start: Bound, end: Bound] => [
  { key: undefined, rank: 0 },
  { key: undefined, rank: total },
];

/** The segment that contains a place of a run of a partition. */
async function bracketInRun(
  view: View,
  { text = '', ...whole }: List,
  total: number,
  isBelow: (bound: Bound) => boolean,
): Promise<Bracket> {
  const [start, end] = endsOf(total);
  const { sizes } = view.database;
  const isShort = total <= aimOf(sizes.segmentsPerSum) * aimOf(sizes.segmentUsers);
  // The segments of a long run of a list with level 2 would cost more than finding two of its parts.
  if (isShort || hasFewSegments(view.database, view.journal.total)) {
    const segments = await segmentsOfRun(view, whole, text);
    return usersIn(segments) === total ? bracketIn(segments, start, end, isBelow) : { low: start, high: end };
  }
  const offset = await rankOf(view, whole, runStart(whole, text));
  const within = ({ key, rank }: Bound): Bound => ({ key, rank: rank - offset });
  const { low, high } = await findBracket(view, whole, await sizeOf(view, whole), (bound) => isBelow(within(bound)));
  return {
    low: low.rank <= offset ? start : within(low),
    high: high.rank >= offset + total ? end : within(high),
  };
}

/** The smallest known bracket of a place. Users of one millisecond are few, and no segments tell their ranks. */
async function findBracket(
  view: View,
  list: List,
  total: number,
  isBelow: (bound: Bound) => boolean,
): Promise<Bracket> {
  const [low, high] = endsOf(total);
  if (total <= view.database.sizes.segmentUsers || list.createdAt !== undefined) return { low, high };
  return (list.text === undefined ? bracketInPartition : bracketInRun)(view, list, total, isBelow);
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

/** How many users of a list are before a key. */
async function rankOf(view: View, list: List, key: string): Promise<number> {
  const total = await sizeOf(view, list);
  const { low, high } = await findBracket(view, list, total, (bound) => compareCodePoints(bound.key ?? '', key) <= 0);
  if (low.key === key || low.rank === high.rank) return low.rank;
  let rank = low.rank;
  for await (const user of scan(view, list, { direction: 'asc', from: low.key, to: key, expected: ALL })) {
    if (compareCodePoints(keyIn(list, user), key) < 0) rank++;
  }
  return rank;
}

/** The ranks [start, end) that a run has in its list. */
export const ranksOfRun = (view: View, list: List, text: string): Promise<[start: number, end: number]> =>
  Promise.all([rankOf(view, list, runStart(list, text)), rankOf(view, list, runEnd(list, text))]);

/** The sort text that all users of the segment at a rank have. Undefined if they differ. Long runs have segments of their own. */
export async function runAt(view: View, list: List, rank: number, total: number): Promise<string | undefined> {
  if (isById(list)) return undefined;
  const { low, high } = await findBracket(view, list, total, (bound) => bound.rank <= rank);
  if (low.key === undefined || high.key === undefined) return undefined;
  const end = low.key.indexOf(SEPARATOR);
  const text = low.key.slice(0, end);
  return end >= 0 && compareCodePoints(high.key, runEnd(list, text)) <= 0 ? text : undefined;
}

/** How many users a list has that is only a part of its partition. */
async function countRun(view: View, list: List): Promise<number> {
  const few = view.database.sizes.nearUsers;
  const users = await take(scan(view, list, { direction: 'asc', expected: 20 }), few);
  if (users.length < few) return users.length;
  const { createdAt, ...others } = list;
  const { text = '', ...whole } = others;
  const [start, end] = await (createdAt === undefined
    ? ranksOfRun(view, whole, text)
    : ranksOfRun(view, others, createdAt));
  return end - start;
}

/** How many users a list has. */
export const sizeOf = (view: View, list: List): Promise<number> =>
  isCounted(list) ? view.total(valuesOf(list)) : countRun(view, list);

/** Reads ahead what a deep page needs, while the total is read that tells whether there is such a page. */
export async function prepareSlice(view: View, { text, ...whole }: List, start: number): Promise<void> {
  if (start <= view.database.sizes.nearUsers) return;
  if (!hasFewSegments(view.database, view.journal.total)) await view.sums(whole);
  else if (text === undefined) await view.segments(whole, WHOLE_MAP.from, WHOLE_MAP.to);
  else await segmentsOfRun(view, whole, text);
}
