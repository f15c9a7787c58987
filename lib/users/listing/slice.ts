/** Users at some places of a span, at any depth. */
import type { Wanted } from '../counts/segments.ts';
import { partOf, type Span, valuesOf } from '../lists.ts';
import type { User } from '../user.ts';
import { matcherOf } from './criteria.ts';
import { partsOf } from './parts.ts';
import { baseOf, isAnyone, oneValueOf, type Ranked, rankedSegments, rankedSums, rankIn, segmentAt } from './ranks.ts';
import { readAll, takeFirst } from './scan.ts';
import type { View } from './view.ts';

/** How many wanted users are before a span, from the beginning of its base. */
async function rankOf(view: View, span: Span, wanted: Wanted): Promise<number> {
  const { list, from } = span;
  const value = isAnyone(wanted) ? oneValueOf(span) : undefined;
  const before = value && (await view.before(value.field, valuesOf(list), value.text));
  if (from === undefined || before !== undefined) return before ?? 0;
  const segment = await segmentAt(view, baseOf(span), from, wanted);
  return segment ? rankIn(view, list, segment, from, wanted) : 0;
}

const within = (segments: readonly Ranked[], start: number, end: number): Ranked[] =>
  segments.filter(({ rank, matching }) => rank < end && rank + matching > start);

/** The segments that have the wanted users of the ranks [start, end) of a base. */
async function segmentsWithin(view: View, base: Span, wanted: Wanted, start: number, end: number) {
  const sums = within(await rankedSums(view, base, wanted), start, end);
  const segments = await Promise.all(sums.map((sum) => rankedSegments(view, base.list, sum, wanted)));
  return within(segments.flat(), start, end);
}

/** Users are read from the beginning of the span on. */
async function fromStart(view: View, span: Span, skip: number, take: number): Promise<User[]> {
  return (await takeFirst(view, span, 'asc', skip + take)).slice(skip);
}

/** The users at the place `skip` of what follows the beginning of a segment, and `left` before its end. They are read from the nearer one. */
async function around(view: View, span: Span, { from, to }: Ranked, skip: number, left: number, take: number) {
  if (to === undefined || skip <= left) return fromStart(view, partOf(span, { from }), skip, take);
  const [before, after] = await Promise.all([
    takeFirst(view, partOf(span, { to }), 'desc', left),
    takeFirst(view, partOf(span, { from: to }), 'asc', take - left),
  ]);
  return [...before.reverse(), ...after].slice(0, take);
}

/**
 * The wanted users at the places [start, end) of a span, of `total`. Three calls in a row: sums, segments, users. Two more where the span
 * begins within a segment.
 *
 * @throws {NotCounted}
 */
export async function usersAt(
  view: View,
  span: Span,
  wanted: Wanted,
  total: number,
  [start, end]: readonly [number, number],
): Promise<User[]> {
  const near = view.database.sizes.nearUsers;
  const take = end - start;
  if (isAnyone(wanted) && start <= near) return fromStart(view, span, start, take);
  if (isAnyone(wanted) && total - end <= near) {
    return (await takeFirst(view, span, 'desc', total - start)).reverse().slice(0, take);
  }
  const base = baseOf(span);
  const [rank] = await Promise.all([rankOf(view, span, wanted), view.segments('sums', base.list, base)]);
  const segments = await segmentsWithin(view, base, wanted, rank + start, rank + end);
  const [first] = segments;
  if (!first) return [];
  const skip = start - Math.max(0, first.rank - rank);
  if (isAnyone(wanted)) {
    const left = Math.min(total, first.rank + first.matching - rank) - start;
    return around(view, span, first, skip, left, take);
  }
  const users = await readAll(
    view,
    partsOf(span, segments, ({ matching }) => matching > 0),
    matcherOf({ wanted, ranges: {} }),
  );
  return users.slice(skip, skip + take);
}
