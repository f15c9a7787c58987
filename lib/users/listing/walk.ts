/** Follows a list in its order, and drops who does not match. */
import { scriptsIn } from '../counts/scripts.ts';
import { countsScripts, mostWith, type Segment } from '../counts/segments.ts';
import { sortText } from '../keys.ts';
import { keyIn, partOf, type Span } from '../lists.ts';
import type { User } from '../user.ts';
import { weightOf } from './cost.ts';
import { type Criteria, matcherOf } from './criteria.ts';
import { cutUp } from './cutUp.ts';
import { type Direction, hasOwnOrder, inDirection, inOrder } from './order.ts';
import { partsOf, skipIds } from './parts.ts';
import type { PlanOf } from './plan.ts';
import type { Query } from './query.ts';
import { readAll, scan } from './scan.ts';
import type { View } from './view.ts';

/** A walk may cost this many times its estimate, or what its alternative costs, if that is more. */
const PATIENCE = 1.5;

/** After the users that were expected, this many are read at a time. */
const MORE = 200;

/** At first, at most this many users more than expected are read. After them, parts in which nobody can match are left out. */
const SPARE = 100;

/** What is left of a span after a page, in a direction. */
function restOf(span: Span, page: readonly User[], direction: Direction): Span | undefined {
  const last = page.at(-1);
  if (!last) return undefined;
  const key = keyIn(span.list.index, last);
  // No other key is between these two.
  return partOf(span, direction === 'asc' ? { from: `${key}\0` } : { to: key });
}

/** The parts of a span that can have users with a keyword in their last names. Sums with few such users are looked into. */
async function partsWith(view: View, span: Span, keyword: string | undefined): Promise<Span[]> {
  const { list } = span;
  const scripts = keyword === undefined || !countsScripts(list.index) ? [] : scriptsIn(keyword);
  if (scripts.length === 0) return [span];
  const isWorthALook = (sum: Segment) => {
    const most = mostWith(sum, scripts);
    return most > 0 && sum.users - most > view.database.sizes.segmentUsers;
  };
  const sums = await view.segments('sums', list, {});
  const segments = await Promise.all(
    sums.map((sum) => (isWorthALook(sum) ? view.segments('segments', list, sum) : [sum])),
  );
  return partsOf(span, segments.flat(), (segment) => mostWith(segment, scripts) > 0);
}

/** Where and how a walk goes. */
interface Way {
  criteria: Criteria;
  direction: Direction;
  /** The users that are read before parts are left out, and how many are read with them at once. */
  expected: number;
  spare: number;
  untilUnits: number;
}

/** Where to go on after a page without a match, past others who cannot match. With a keyword, parts are left out otherwise. */
function skipped(view: View, span: Span, page: readonly User[], { criteria, direction }: Way): Span | undefined {
  const { ranges, keyword } = criteria;
  const isFutile = page.length >= view.database.sizes.skipUsers && !page.some(matcherOf(criteria));
  return ranges.id && keyword === undefined && isFutile ? skipIds(span, page, ranges.id, direction) : undefined;
}

/** The pages of some parts of a span, until the rest can be read in a better way. @returns the rest */
async function* pagesUntil(view: View, span: Span, parts: readonly Span[], way: Way, size: number, most: number) {
  const { direction, untilUnits } = way;
  let read = 0;
  for (const part of inDirection(parts, direction)) {
    for await (const page of scan(view, part, { direction, expected: size, untilUnits })) {
      yield page;
      read += page.length;
      const rest = skipped(view, span, page, way) ?? (read < most ? undefined : restOf(span, page, direction));
      if (rest) return rest;
    }
  }
  return undefined;
}

/** The pages of a span. After the users that were expected, and where some can be skipped, parts in which nobody can match are left out. */
async function* pagesOf(view: View, span: Span, way: Way): AsyncGenerator<User[]> {
  const { criteria, expected, spare } = way;
  let rest = yield* pagesUntil(view, span, [span], way, expected + spare, expected);
  while (rest) {
    const parts = await partsWith(view, rest, criteria.keyword);
    rest = yield* pagesUntil(view, rest, parts, way, MORE, Number.POSITIVE_INFINITY);
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
 * A page of the matching users of a span, which is followed in its direction until there are enough.
 *
 * @param mostUnits the read units that it may cost, beyond which its plan may be too dear
 * @returns undefined when that costs too much
 */
export async function walk(
  view: View,
  query: Query,
  { span, users: expected, cost, otherwise }: PlanOf<'walk'>,
  mostUnits: number,
): Promise<User[] | undefined> {
  const { criteria, order, skip, take } = query;
  const limit = view.database.sizes.walkPatience * Math.max(weightOf(otherwise.cost), PATIENCE * weightOf(cost));
  const direction = order[0].direction;
  const { units } = view;
  // Where users can be skipped, it is not known who will be read.
  const { parts, rest } = criteria.ranges.id
    ? { parts: [], rest: { span, users: expected } }
    : await cutUp(view, { span, users: expected }, direction);
  // Matching users are not spread evenly: a few more are read at once, so that a second query is seldom needed.
  const share = Math.min(1, (skip + take) / expected);
  const spare = Math.min(SPARE, Math.ceil((2 * Math.sqrt((skip + take) * (1 - share))) / share));
  const matches = matcherOf(criteria);
  const users = inOrder(await readAll(view, parts, matches), order);
  // As many match among the others as among those who were read, if anybody did.
  const others = users.length === 0 ? 0 : ((skip + take - users.length) * (expected - rest.users)) / users.length;
  const way = {
    criteria,
    direction,
    expected: Math.ceil(Math.max(rest.users, others)),
    spare,
    untilUnits: units + mostUnits,
  };
  let rounds = 0;
  for await (const page of isEnough(users, query) ? [] : pagesOf(view, rest.span, way)) {
    users.push(...page.filter(matches));
    if (isEnough(users, query)) break;
    const spent = { units: view.units - units, rounds: ++rounds, calls: 0 };
    if (spent.units >= mostUnits || weightOf(spent) > limit) return undefined;
  }
  return inOrder(users, order).slice(skip, skip + take);
}
