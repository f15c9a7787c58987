import { isById, keyOfId } from '../lists.ts';
import { overBudget } from './budget.ts';
import { endOfMatches } from './criteria.ts';
import { entriesPerUnit, type UserQuery, type Walk } from './plans.ts';
import { inRuns, matching, shortRun } from './runs.ts';
import { scan } from './scan.ts';
import type { Open, Users } from './streams.ts';
import type { View } from './view.ts';

/** A walk has cost too much. */
class Misled extends Error {}

/** Part of what was expected of a walk is expected of each stretch that it reads after a long run. */
const STRETCH_PART = 1 / 4;

/** All users of a walk, including those to be skipped. */
function walked(view: View, query: UserQuery, walk: Walk, open: Open): Users {
  const { list, direction, runs, fallback } = walk;
  const { after } = query.criteria;
  const bound = after === undefined || !isById(list) ? undefined : keyOfId(list, after + 1);
  const end = endOfMatches(query.criteria, query.order[0].property);
  const [first, to] = direction === 'asc' ? [bound, end] : [end, bound];
  // One more user tells whether a run of equal values continues.
  const expected = walk.isExact
    ? query.skip + query.take + (runs ? 1 : 0)
    : Math.ceil(walk.estimate * entriesPerUnit(list));
  const limit = fallback ? view.units + view.database.sizes.walkPatience * fallback.estimate : view.budget;
  let read = 0;
  async function* readFrom(key = first): Users {
    const left = walk.isExact ? expected : Math.ceil(Math.max(expected * STRETCH_PART, expected - read));
    const probe = runs && !walk.isExact ? Math.min(left, shortRun(view, query) + 1) : left;
    const { keyword } = query.criteria;
    const users = scan(view, list, { direction, from: key, to, expected: left, probe, keyword });
    for await (const user of users) {
      if (view.units > limit) throw new Misled();
      read++;
      yield user;
    }
  }
  return runs ? inRuns({ view, query, walk, runs, readFrom, open }) : matching(query, readFrom());
}

/**
 * Follows a list from one of its ends.
 *
 * @param change continues with the fallback when the walk has cost too much
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
