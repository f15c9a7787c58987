import { keyOfId } from '../lists.ts';
import { overBudget } from './budget.ts';
import { endOfMatches } from './criteria.ts';
import { ENTRIES_PER_UNIT, type UserQuery, type Walk } from './plans.ts';
import { inRuns, matching } from './runs.ts';
import { scan } from './scan.ts';
import type { Open, Users } from './streams.ts';
import type { View } from './view.ts';

/** @throws {Misled} when it has cost as much as the fallback would, or as any listing may */
class Misled extends Error {}

async function* limited(view: View, users: Users, end: number): Users {
  for await (const user of users) {
    if (view.units > end) throw new Misled();
    yield user;
  }
}

/** A good part of what the fallback costs may be lost in any case. */
const LOST_PART = 1 / 16;

/** The units after which a walk was misled. */
const patienceOf = ({ database }: View, { estimate }: Walk, fallback: { estimate: number }): number =>
  database.sizes.walkPatience * Math.max(estimate, fallback.estimate * LOST_PART);

/** The users of a walk before any are skipped. */
function walked(view: View, query: UserQuery, walk: Walk, open: Open): Users {
  const { list, direction, runs, fallback } = walk;
  const { after } = query.criteria;
  const isById = list.index.order === 'id' || list.run !== undefined;
  const bound = after === undefined || !isById ? undefined : keyOfId(list, after + 1);
  const end = endOfMatches(query.criteria, query.order[0].property);
  const [first, to] = direction === 'asc' ? [bound, end] : [end, bound];
  // One more tells whether a run of equal values goes on.
  const expected = walk.isExact
    ? query.skip + query.take + (runs ? 1 : 0)
    : Math.ceil(walk.estimate * ENTRIES_PER_UNIT);
  const limit = fallback ? view.units + patienceOf(view, walk, fallback) : view.budget;
  const readFrom = (key = first) => limited(view, scan(view, list, { direction, from: key, to, expected }), limit);
  return runs ? inRuns({ view, query, walk, runs, readFrom, open }) : matching(query, readFrom());
}

/**
 * Follows a list from one of its ends.
 *
 * @param change goes on by the fallback, when the walk has cost too much
 */
export async function* follow(
  view: View,
  query: UserQuery,
  walk: Walk,
  open: Open,
  change: (rest: UserQuery, fallback: NonNullable<Walk['fallback']>) => Users,
): Users {
  let passed = 0;
  try {
    for await (const user of walked(view, query, walk, open)) if (++passed > query.skip) yield user;
  } catch (error) {
    if (!(error instanceof Misled)) throw error;
    if (!walk.fallback) throw overBudget(view);
    const given = Math.max(query.skip, passed);
    const rest = { ...query, skip: given, take: query.take - (given - query.skip) };
    yield* change(rest, walk.fallback);
  }
}
