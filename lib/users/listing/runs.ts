import { sortText } from '../keys.ts';
import { keyAfterRun, runOf } from '../lists.ts';
import type { User } from '../user.ts';
import { matcherOf } from './criteria.ts';
import { compareBy, type Order, rankBy } from './order.ts';
import { entriesPerUnit, type Runs, type UserQuery, type Walk } from './plans.ts';
import { scan } from './scan.ts';
import type { Open, Users } from './streams.ts';
import type { View } from './view.ts';

export async function* matching(query: UserQuery, users: Users): Users {
  const matches = matcherOf(query.criteria);
  for await (const user of users) if (matches(user)) yield user;
}

/** A run that is not longer is always sorted in memory. */
export const shortRun = ({ database }: View, { take }: UserQuery): number =>
  Number.isFinite(take) ? Math.max(database.sizes.nearUsers, 2 * take) : database.sizes.streamedRun;

export const inOrder = (users: readonly User[], order: Order): User[] =>
  users
    .map(rankBy(order))
    .sort(compareBy(order))
    .map(({ user }) => user);

/** A walk through a list whose runs of equal values must be put into order. */
export interface RunsWalk {
  view: View;
  query: UserQuery;
  walk: Walk;
  runs: Runs;
  /** Reads the walk's list from a key, or from its beginning. */
  readFrom: (key?: string) => Users;
  open: Open;
}

/** The users of a run in the rest of the order. For the order of ids the run is read in its direction. */
function ofRun({ view, query, walk, runs: { property, rest }, open }: RunsWalk, text: string): Users {
  const list = runOf(walk.list, text);
  if (list && rest[0].property === 'id') {
    return matching(
      query,
      scan(view, list, { direction: rest[0].direction, expected: walk.estimate * entriesPerUnit(walk.list) }),
    );
  }
  const criteria = { ...query.criteria, texts: { ...query.criteria.texts, [property]: text } };
  // Skipped users come before the page, and may be in this run.
  const take = query.skip + query.take;
  return open(view, { ...query, criteria, order: rest, skip: 0, take, total: undefined });
}

/**
 * The length from which a run is too long to be sorted in memory: it then becomes a query of its own.
 *
 * @param before how many users have been read before it
 */
function longestRun({ view, query, walk, runs: { rest } }: RunsWalk, before: number): number {
  const short = shortRun(view, query);
  if (rest[0].property !== 'id' || !Number.isFinite(query.take)) return short;
  // The end of a run that goes on after the first read costs more than the run's own first users.
  if (walk.isExact) return Math.max(0, query.take - before);
  // What was expected is read in few large pages: most of a later run has been read with the users before it.
  return before === 0 ? short : Math.max(short, walk.estimate * entriesPerUnit(walk.list));
}

/** The matching users in the order of the list, with each run put into the rest of the order. */
export async function* inRuns(given: RunsWalk, key?: string): Users {
  const { query, walk, runs, readFrom } = given;
  const { property, rest } = runs;
  const matches = matcherOf(query.criteria);
  let run: User[] = [];
  let [length, before] = [0, 0];
  let text: string | undefined;
  let longest = 0;
  for await (const user of readFrom(key)) {
    const next = sortText(user, property);
    if (next !== text) {
      yield* inOrder(run, rest);
      run = [];
      before += length;
      length = 0;
      longest = longestRun(given, before);
      text = next;
    }
    if (matches(user)) run.push(user);
    if (++length > longest) {
      yield* ofRun(given, text);
      yield* inRuns(given, keyAfterRun(walk.list, text, walk.direction));
      return;
    }
  }
  yield* inOrder(run, rest);
}
