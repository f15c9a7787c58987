import { SEPARATOR } from '../keys.ts';
import { isById, isCounted, keyIn, type List, runEnd, runStart, valuesOf } from '../lists.ts';
import { FIRST_BOUND } from '../statistics/pages.ts';
import { aimOf, hasFewSegments, type Segment } from '../statistics/segments.ts';
import { compareCodePoints } from '../text.ts';
import { scan } from './scan.ts';
import { takeFrom } from './streams.ts';
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
export async function segmentsOfRun(view: View, whole: List, text: string): Promise<Segment[]> {
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
  if (isShort || hasFewSegments(view.database, view.journal.total)) {
    const segments = await segmentsOfRun(view, whole, text);
    return usersIn(segments) === total ? bracketIn(segments, start, end, isBelow) : { low: start, high: end };
  }
  // The list has level 2: finding two of its parts costs less than all segments of a long run.
  const offset = await rankOf(view, whole, runStart(whole, text));
  const within = ({ key, rank }: Bound): Bound => ({ key, rank: rank - offset });
  const { low, high } = await findBracket(view, whole, await sizeOf(view, whole), (bound) => isBelow(within(bound)));
  return {
    low: low.rank <= offset ? start : within(low),
    high: high.rank >= offset + total ? end : within(high),
  };
}

/** The smallest known bracket of a place. Users of one millisecond are few, and no segments tell their ranks. */
export async function findBracket(
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
  const users = await takeFrom(scan(view, list, { direction: 'asc', expected: 20 }), few);
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
