/** Follows a list in its order, and drops who does not match. */
import { scriptsIn } from '../counts/scripts.ts';
import { countsScripts, mostWith, type Segment } from '../counts/segments.ts';
import { sortText } from '../keys.ts';
import { isEmpty, keyIn, partOf, type Span } from '../lists.ts';
import type { User } from '../user.ts';
import { weightOf } from './cost.ts';
import { type Criteria, matcherOf } from './criteria.ts';
import { cutUp } from './cutUp.ts';
import { type Direction, hasOwnOrder, inDirection, sortedBy } from './order.ts';
import { partsOf, skipIds } from './parts.ts';
import type { PlanOf } from './plan.ts';
import type { Query } from './query.ts';
import type { Window } from './runs.ts';
import { readAll, scan } from './scan.ts';
import type { View } from './view.ts';

/** A walk may cost this many times its estimate, or what its alternative costs, if that is more. */
const PATIENCE = 1.5;

/** At least so many users are read at a time. */
const LEAST = 200;

/** At first, at most this many users more than expected are read. */
const SPARE = 100;

/** To look which parts of a list can have somebody with a keyword takes some three units: as many as to read so many users. */
const WORTH_A_LOOK = 500;

/** What is left of a span after a page, in a direction. */
function restOf(span: Span, page: readonly User[], direction: Direction): Span | undefined {
  const last = page.at(-1);
  if (!last) return undefined;
  const key = keyIn(span.list.index, last);
  // No other key is between these two.
  return partOf(span, direction === 'asc' ? { from: `${key}\0` } : { to: key });
}

/** The parts of a span that can have users with a keyword in their last names, in a direction. Sums with few such users are looked into. */
async function* partsWith(view: View, span: Span, { criteria: { keyword }, direction }: Way): AsyncGenerator<Span> {
  const { list } = span;
  const scripts = keyword === undefined || !countsScripts(list.index) ? [] : scriptsIn(keyword);
  if (scripts.length === 0) return yield span;
  const isWorthALook = (sum: Segment) => {
    const most = mostWith(sum, scripts);
    return most > 0 && sum.users - most > view.database.sizes.segmentUsers;
  };
  for (const sum of inDirection(await view.segments('sums', list, {}), direction)) {
    if (isEmpty(partOf(span, sum))) continue;
    const segments = isWorthALook(sum) ? await view.segments('segments', list, sum) : [sum];
    yield* inDirection(
      partsOf(span, segments, (segment) => mostWith(segment, scripts) > 0),
      direction,
    );
  }
}

/** Where and how a walk goes. */
interface Way {
  criteria: Criteria;
  direction: Direction;
  /** How many users must match, and about how many must be read for them. */
  needed: number;
  expected: number;
  untilUnits: number;
}

/** How many users were read, and how many of them match. */
interface Progress {
  read: number;
  matched: number;
}

/** Where to go on after a page without a match, past others who cannot match. With a keyword, parts are left out otherwise. */
function skipped(view: View, span: Span, page: readonly User[], { criteria, direction }: Way): Span | undefined {
  const { ranges, keyword } = criteria;
  const isFutile = page.length >= view.database.sizes.skipUsers && !page.some(matcherOf(criteria));
  return ranges.id && keyword === undefined && isFutile ? skipIds(span, page, ranges.id, direction) : undefined;
}

/** The pages of a span, until some users are read. @returns what is left of it */
async function* pagesUntil(view: View, span: Span, way: Way, size: number, isWorthALook: boolean) {
  const { direction, untilUnits } = way;
  let read = 0;
  for await (const part of isWorthALook ? partsWith(view, span, way) : [span]) {
    for await (const page of scan(view, part, { direction, expected: size - read, untilUnits })) {
      yield page;
      read += page.length;
      const rest = skipped(view, span, page, way) ?? (read < size ? undefined : restOf(span, page, direction));
      if (rest) return rest;
    }
  }
  return undefined;
}

/**
 * How many users to read next: as many as have those who are still needed, if they match as often as before. Matching users are not
 * spread evenly, so at first a few more are read, and a second query is seldom needed.
 */
function nextSize({ needed, expected }: Way, { read, matched }: Progress): number {
  const share = Math.min(1, needed / expected);
  if (read === 0) return expected + Math.min(SPARE, Math.ceil((2 * Math.sqrt(needed * (1 - share))) / share));
  return Math.max(LEAST, matched === 0 ? read : Math.ceil(((needed - matched) * read) / matched));
}

/** The pages of a span. Parts in which nobody can match are left out where many users are read. */
async function* pagesOf(view: View, span: Span, way: Way, progress: Progress): AsyncGenerator<User[]> {
  let rest: Span | undefined = span;
  while (rest) {
    const size = nextSize(way, progress);
    rest = yield* pagesUntil(view, rest, way, size, progress.read > 0 || size > WORTH_A_LOOK);
  }
}

/** Whether users are enough for a page, and no run of equal values is cut at its end. */
function isEnough(users: readonly User[], { order, skip, take }: Query): boolean {
  const [last, next] = [users[skip + take - 1], users.at(-1)];
  if (!last || !next) return false;
  const [{ property }] = order;
  return hasOwnOrder(order) || sortText(next, property) !== sortText(last, property);
}

/**
 * The matching users of a span up to the end of a page, and some more to end a run of equal values there. The span is followed in its
 * direction until there are enough.
 *
 * @param mostUnits the read units that it may cost, beyond which its plan may be too dear
 * @returns undefined when that costs too much
 */
export async function walk(
  view: View,
  query: Query,
  { span, users: expected, cost, otherwise }: PlanOf<'walk'>,
  mostUnits: number,
): Promise<Window | undefined> {
  const { criteria, order, skip, take } = query;
  const limit = view.database.sizes.walkPatience * Math.max(weightOf(otherwise.cost), PATIENCE * weightOf(cost));
  const [{ direction }] = order;
  const { units } = view;
  // Where users can be skipped, it is not known who will be read.
  const { parts, rest } = criteria.ranges.id
    ? { parts: [], rest: { span, users: expected } }
    : await cutUp(view, { span, users: expected }, direction);
  const matches = matcherOf(criteria);
  const users = sortedBy(await readAll(view, parts, matches), order);
  const way = { criteria, direction, needed: skip + take, expected, untilUnits: units + mostUnits };
  const progress = { read: expected - rest.users, matched: users.length };
  const windowOf = (total: number): Window => ({ users: sortedBy(users, order), start: 0, total });
  let rounds = 0;
  for await (const page of pagesOf(view, rest.span, way, progress)) {
    const isSpare = users.length >= skip + take;
    users.push(...page.filter(matches));
    progress.read += page.length;
    progress.matched = users.length;
    if (isSpare || isEnough(users, query)) return windowOf(Number.POSITIVE_INFINITY);
    const spent = { units: view.units - units, rounds: ++rounds, calls: 0 };
    if (spent.units >= mostUnits || weightOf(spent) > limit) return undefined;
  }
  return windowOf(users.length);
}
