import { padded, sortText } from '../keys.ts';
import { both, keyIn, type Range, rangeOfText, type Span } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { matcherOf, type UserQuery } from './criteria.ts';
import { type Direction, inOrder } from './order.ts';
import { type PlanOf, weigh } from './plan.ts';
import { scan } from './scan.ts';
import { spansWith } from './tiles.ts';
import type { View } from './view.ts';

/** A walk may cost this many times its estimate, or what its alternative costs, if that is more. */
const PATIENCE = 1.5;

/** After the users that were expected, this many are read at a time. */
const MORE = 200;

/** At first, at most this many users more than expected are read. After them, parts in which nobody can match are left out. */
const SPARE = 100;

/** What is left of a span after a user, in a direction. */
function restOf(span: Span, user: User, direction: 'asc' | 'desc'): Span {
  const key = keyIn(span.list.index, user);
  // No other key is between these two.
  return { list: span.list, ...both(span, direction === 'asc' ? { from: `${key}\0` } : { to: key }) };
}

/**
 * A skip scan. Users with one text are in the order of ids, so the users within a range of ids follow each other, and whoever
 * follows a list need not read what is before and after them.
 *
 * @returns what is left of a span after a page in which nobody is within a range of ids, if all users of the page have one text: it begins
 * with the next user who can be within the range. Undefined if nothing can be skipped.
 */
export function skipIds(span: Span, page: readonly User[], ids: Range, direction: Direction): Span | undefined {
  const [first, last] = [page[0], page.at(-1)];
  if (!first || !last || span.list.index.order === 'id') return undefined;
  const textOf = (user: User) => keyIn(span.list.index, user).slice(0, -padded(user.id).length);
  const text = textOf(last);
  if (textOf(first) !== text) return undefined;
  const id = padded(last.id);
  const isBefore = ids.from !== undefined && compareCodePoints(id, ids.from) < 0;
  const isAfter = ids.to !== undefined && compareCodePoints(id, ids.to) >= 0;
  if (!isBefore && !isAfter) return undefined;
  const rest =
    direction === 'asc'
      ? { from: isBefore ? text + ids.from : rangeOfText(text.slice(0, -1)).to }
      : { to: isAfter ? text + ids.to : text };
  return { list: span.list, ...both(span, rest) };
}

/**
 * A page of the matching users of a span, which is followed in its direction until there are enough, and no run of equal values is
 * cut. Parts in which nobody can match are left out after the users that were expected.
 *
 * @param mostUnits the read units that it may cost, beyond which its plan may be too dear
 * @returns undefined when that costs too much
 */
export async function walk(
  view: View,
  { criteria, order, skip, take }: UserQuery,
  { span, users: expected, cost, otherwise }: PlanOf<'walk'>,
  hasRuns: boolean,
  mostUnits: number,
): Promise<User[] | undefined> {
  const [{ property, direction }] = order;
  const { walkPatience, skipUsers } = view.database.sizes;
  const limit = walkPatience * Math.max(weigh(otherwise.cost), PATIENCE * weigh(cost));
  const matches = matcherOf(criteria);
  const [units, calls] = [view.units, view.calls];
  const isTooMuch = () => {
    const spent = { units: view.units - units, calls: view.calls - calls };
    return spent.units >= mostUnits || weigh(spent) > limit;
  };
  const unitsLeft = () => mostUnits - (view.units - units);
  const users: User[] = [];
  const isEnough = () => {
    const [last, next] = [users[skip + take - 1], users.at(-1)];
    if (!last || !next) return false;
    const text = sortText(last, property);
    if (sortText(next, property) !== text) return true;
    return !hasRuns;
  };
  /** Where to go on after a page without a match, past others who cannot match. With a keyword, parts are left out otherwise. */
  const skipped = (here: Span, some: readonly User[]) =>
    criteria.keyword === undefined && criteria.ranges.id && some.length >= skipUsers && !some.some(matches)
      ? skipIds(here, some, criteria.ranges.id, direction)
      : undefined;
  const page = () => inOrder(users, order).slice(skip, skip + take);

  // Matching users are not spread evenly: a few more are read at once, so that a second query is seldom needed.
  const share = Math.min(1, (skip + take) / expected);
  const spare = Math.min(SPARE, Math.ceil((2 * Math.sqrt((skip + take) * (1 - share))) / share));
  let [read, rest] = [0, undefined as Span | undefined];
  for await (const some of scan(view, span, { direction, expected: expected + spare, unitsLeft })) {
    users.push(...some.filter(matches));
    if (isEnough()) return page();
    if (isTooMuch()) return undefined;
    read += some.length;
    const last = some.at(-1);
    rest = skipped(span, some);
    if (read >= expected && last) rest ??= restOf(span, last, direction);
    if (rest) break;
  }
  while (rest) {
    const here: Span = rest;
    rest = undefined;
    const spans = await spansWith(view, here, criteria.keyword);
    following: for (const part of direction === 'asc' ? spans : spans.toReversed()) {
      for await (const some of scan(view, part, { direction, expected: MORE, unitsLeft })) {
        users.push(...some.filter(matches));
        if (isEnough()) return page();
        if (isTooMuch()) return undefined;
        rest = skipped(here, some);
        if (rest) break following;
      }
    }
  }
  return page();
}
