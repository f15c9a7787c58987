/**
 * Ranks in a list: how many wanted users are before a key, and which segments have the users of some ranks. Ranks are counted from the
 * first sum that is read. It takes two calls in a row, sums and the segments of one sum, and a part of a segment if a key is within it.
 */
import { countIn, type Segment, type Wanted } from '../counts/segments.ts';
import { type ExactField, isExactField } from '../fields.ts';
import { NO_VALUE, valueOfText } from '../keys.ts';
import { type List, type Span, textOf, valuesOf } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import type { Sized } from './cost.ts';
import { matcherOf } from './criteria.ts';
import { isNearEnd } from './nearEnd.ts';
import { readAll, takeFirst } from './scan.ts';
import type { View } from './view.ts';

/** Segments do not tell how many users have a value, such as a status: a stage may have thousands. Then another plan is taken. */
export class NotCounted extends Error {}

/** A segment, or the sum of several. */
export interface Ranked extends Segment {
  /** How many wanted users it has, and how many are before it. */
  matching: number;
  rank: number;
}

export const isAnyone = (wanted: Wanted): boolean => Object.keys(wanted).length === 0;

/** The one value that the users of a span have in the field that gives the order, as its text; undefined if they have several. */
export function oneValueOf(span: Span): { field: ExactField; text: string } | undefined {
  const [{ order }, text] = [span.list.index, textOf(span)];
  return isExactField(order) && text !== undefined ? { field: order, text } : undefined;
}

/**
 * The part of a list whose sums are read for a span, and from which on its ranks are counted. For the users of one value it is the whole
 * list, because totals tell how many are before them.
 */
export const baseOf = (span: Span): Span => (oneValueOf(span) ? { list: span.list } : span);

/** @throws {NotCounted} */
function ranked(segments: readonly Segment[], wanted: Wanted, first = 0): Ranked[] {
  let rank = first;
  return segments.map((segment) => {
    const matching = countIn(segment, wanted);
    if (matching === undefined) throw new NotCounted();
    rank += matching;
    return { ...segment, matching, rank: rank - matching };
  });
}

export const rankedSums = async (view: View, base: Span, wanted: Wanted): Promise<Ranked[]> =>
  ranked(await view.segments('sums', base.list, base), wanted);

export const rankedSegments = async (view: View, list: List, sum: Ranked, wanted: Wanted): Promise<Ranked[]> =>
  ranked(await view.segments('segments', list, sum), wanted, sum.rank);

/** How many wanted users a span has, counted one by one. */
const countEach = (view: View, span: Span, wanted: Wanted): Promise<number> =>
  view.remember(
    async () => (await readAll(view, [span], matcherOf({ wanted, ranges: {} }))).length,
    'count',
    span.list.index.name,
    span.list.partition,
    span.from,
    span.to,
    wanted,
  );

/** The segment that a key lies in. Undefined in a list without users. */
export async function segmentAt(view: View, base: Span, key: string | undefined, wanted: Wanted) {
  if (key === undefined) return undefined;
  const isBelow = ({ from }: Ranked) => from === undefined || compareCodePoints(from, key) <= 0;
  const sum = (await rankedSums(view, base, wanted)).findLast(isBelow);
  return sum && (await rankedSegments(view, base.list, sum, wanted)).findLast(isBelow);
}

/** How many wanted users are before a key of a segment. */
export async function rankIn(view: View, list: List, segment: Ranked, key: string, wanted: Wanted): Promise<number> {
  const { rank, matching, users, from, to } = segment;
  if (from === key || users === 0) return rank;
  if (isNearEnd(segment, key)) return rank + matching - (await countEach(view, { list, from: key, to }, wanted));
  return rank + (await countEach(view, { list, from, to: key }, wanted));
}

/**
 * How many wanted users a span has: by the ranks of its ends, or one by one within a segment.
 *
 * @throws {NotCounted}
 */
export async function countSpan(view: View, span: Span, wanted: Wanted): Promise<number> {
  const { list, from, to } = span;
  const base = baseOf(span);
  const [first, last] = await Promise.all([from, to].map((key) => segmentAt(view, base, key, wanted)));
  if (first && last && first.from === last.from) return first.users > 0 ? countEach(view, span, wanted) : 0;
  const all = (await rankedSums(view, base, wanted)).at(-1);
  const [start, end] = await Promise.all([
    first && from !== undefined ? rankIn(view, list, first, from, wanted) : 0,
    last && to !== undefined ? rankIn(view, list, last, to, wanted) : (all?.rank ?? 0) + (all?.matching ?? 0),
  ]);
  return end - start;
}

/** All users of a span, if they are few, as they probably are with the same value in a field with many. That costs less than ranks. */
export async function fewUsers(view: View, span: Span): Promise<User[] | undefined> {
  if ([undefined, NO_VALUE].includes(textOf(span)) || oneValueOf(span)) return undefined;
  const { nearUsers } = view.database.sizes;
  const { index, partition } = span.list;
  const read = () => takeFirst(view, span, 'asc', nearUsers);
  const users = await view.remember(read, 'few', index.name, partition, span.from);
  return users.length < nearUsers ? users : undefined;
}

/** How many users a whole list has, or those of one value: totals tell. */
function totalOf(view: View, span: Span): Promise<number> | undefined {
  const [value, values] = [oneValueOf(span), valuesOf(span.list)];
  if (value) return view.total({ ...values, [value.field]: valueOfText(value.text) });
  return span.from === undefined && span.to === undefined ? view.total(values) : undefined;
}

/** How many users a span has. */
export async function sizeOf(view: View, span: Span): Promise<number> {
  const total = await totalOf(view, span);
  return total ?? (await fewUsers(view, span))?.length ?? countSpan(view, span, {});
}

/** About how many users a span has. Of a segment that it begins or ends in, a half is taken to be in it. */
export async function estimate(view: View, span: Span): Promise<Sized> {
  const total = await totalOf(view, span);
  if (total !== undefined) return { span, users: total };
  const known = await fewUsers(view, span);
  if (known) return { span, users: known.length, known };
  const [first, last] = await Promise.all([span.from, span.to].map((key) => segmentAt(view, span, key, {})));
  const all = (await rankedSums(view, span, {})).at(-1);
  const start = first ? first.rank + first.users / 2 : 0;
  const end = last ? last.rank + last.users / 2 : (all?.rank ?? 0) + (all?.users ?? 0);
  return { span, users: Math.max(end - start, (first?.users ?? 0) / 2) };
}
