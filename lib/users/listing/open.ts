import { badRequest } from '../../errors.ts';
import { inParallel } from '../../parallel.ts';
import type { SortProperty } from '../fields.ts';
import { ID_DIGITS, idsCreatedAt } from '../ids.ts';
import { runBounds, SEPARATOR, sortText } from '../keys.ts';
import { keyOfId, type List } from '../lists.ts';
import type { User } from '../user.ts';
import { endOfMatches, matcherOf } from './criteria.ts';
import { compareBy, type Direction, type Order, rankBy } from './order.ts';
import {
  ENTRIES_PER_UNIT,
  type Gather,
  type Group,
  type Groups,
  groupByName,
  PARALLEL_READS,
  plan,
  type Query,
  type Walk,
} from './plan.ts';
import { countRun, ranksOfRun, slice } from './rank.ts';
import { scan } from './scan.ts';
import { createSelection } from './selection.ts';
import { inParts } from './split.ts';
import type { View } from './view.ts';

type Users = AsyncGenerator<User, void, undefined>;

/** The first users of a stream, each once: one that is changed meanwhile may come up at its old and at its new place. */
export async function takeFrom(users: Users, count: number): Promise<User[]> {
  const taken: User[] = [];
  const ids = new Set<number>();
  if (count > 0) {
    for await (const user of users) {
      if (ids.has(user.id)) continue;
      ids.add(user.id);
      taken.push(user);
      if (taken.length >= count) break;
    }
  }
  return taken;
}

async function* limit(users: Users, count: number): Users {
  let left = count;
  if (left <= 0) return;
  for await (const user of users) {
    yield user;
    if (--left <= 0) return;
  }
}

async function* drop(users: Users, count: number): Users {
  let left = count;
  for await (const user of users) if (left-- <= 0) yield user;
}

/** @throws {ServiceError} 400 before a listing is read that would cost more than it may */
function ensureBudget({ budget }: View, { estimate }: { estimate: number }): void {
  if (estimate <= budget) return;
  const units = Math.ceil(estimate).toLocaleString('en-US');
  throw badRequest(
    `This listing would read about ${units} units, and ${budget.toLocaleString('en-US')} are allowed: ` +
      'narrow it by a filter, sort it by one property, or walk it by cursor',
  );
}

async function* gather(view: View, { criteria, order, skip, take }: Query, { lists }: Gather): Users {
  const matches = matcherOf(criteria);
  const selection = createSelection(order, skip + take);
  await inParallel(lists, PARALLEL_READS, async (list) => {
    for await (const user of scan(view, list, { direction: 'asc', expected: Number.POSITIVE_INFINITY })) {
      if (matches(user)) selection.add(user);
    }
  });
  yield* selection.slice({ start: skip, end: skip + take });
}

/** Runs up to this length are put into order in memory; longer ones are listings of their own. */
const heldRun = ({ database }: View, take: number): number =>
  Number.isFinite(take) ? Math.max(database.sizes.nearUsers, 2 * take) : 20_000;

/** Where a scan goes on after all users of a run. */
function afterRun(list: List, property: SortProperty, text: string, direction: Direction): string {
  if (property === 'createdAt') {
    const [first, last] = idsCreatedAt(text);
    return keyOfId(list, direction === 'asc' ? last + 1 : first - 1);
  }
  const [first, last] = runBounds(text);
  return direction === 'asc' ? `${last}${SEPARATOR}` : first.slice(0, -ID_DIGITS);
}

const inOrder = (users: readonly User[], order: Order): User[] =>
  users
    .map(rankBy(order))
    .sort(compareBy(order))
    .map(({ user }) => user);

type Runs = NonNullable<Walk['runs']>;

/** Reads the walk's list from a key on, or from its beginning. */
type ReadFrom = (key?: string) => Users;

/** The users of a run in the rest of the order. By id, they are read from the end of the run that comes first. */
function ofRun(view: View, query: Query, walk: Walk, { property, rest }: Runs, text: string): Users {
  if (rest[0].property === 'id') {
    const list = { ...walk.list, run: { property, text } };
    return matching(
      query,
      scan(view, list, { direction: rest[0].direction, expected: walk.estimate * ENTRIES_PER_UNIT }),
    );
  }
  const criteria = { ...query.criteria, texts: { ...query.criteria.texts, [property]: text } };
  // Those who are skipped are in front of the page, perhaps in this run.
  const take = query.skip + query.take;
  return open(view, { ...query, criteria, order: rest, skip: 0, take, total: undefined });
}

/** After how many users a run is too long to be put into order in memory. */
function longestRun(view: View, query: Query, walk: Walk, { rest }: Runs): number {
  if (walk.list.run) return Number.POSITIVE_INFINITY;
  return rest[0].property === 'id' && Number.isFinite(query.take) ? query.take : heldRun(view, query.take);
}

/** Those who match, in the order of the list but for its runs, each of which is put into order. */
async function* inRuns(view: View, query: Query, walk: Walk, runs: Runs, readFrom: ReadFrom, key?: string): Users {
  const { property, rest } = runs;
  const matches = matcherOf(query.criteria);
  const longest = longestRun(view, query, walk, runs);
  let run: User[] = [];
  let length = 0;
  let text: string | undefined;
  for await (const user of readFrom(key)) {
    const next = sortText(user, property);
    if (next !== text) {
      yield* inOrder(run, rest);
      run = [];
      length = 0;
      text = next;
    }
    if (matches(user)) run.push(user);
    if (++length > longest) {
      yield* ofRun(view, query, walk, runs, text);
      yield* inRuns(view, query, walk, runs, readFrom, afterRun(walk.list, property, text, walk.direction));
      return;
    }
  }
  yield* inOrder(run, rest);
}

async function* matching(query: Query, users: Users): Users {
  const matches = matcherOf(query.criteria);
  for await (const user of users) if (matches(user)) yield user;
}

/** @throws {Misled} when it has cost as much as the fallback would */
class Misled extends Error {}

async function* limited(view: View, users: Users, end: number): Users {
  for await (const user of users) {
    if (view.units > end) throw new Misled();
    yield user;
  }
}

/** The units after which a walk was misled: several times what it promised, or a good part of what is certain. */
const patienceOf = ({ estimate }: Walk, fallback: { estimate: number }): number =>
  Math.max(4 * estimate, fallback.estimate / 4);

/** The users of a walk before any are skipped. */
function walked(view: View, query: Query, walk: Walk): Users {
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
  const limit = view.units + (fallback ? patienceOf(walk, fallback) : Number.POSITIVE_INFINITY);
  const readFrom: ReadFrom = (key = first) =>
    limited(view, scan(view, list, { direction, from: key, to, expected }), limit);
  return runs ? inRuns(view, query, walk, runs, readFrom) : matching(query, readFrom());
}

async function* followed(view: View, query: Query, walk: Walk): Users {
  let passed = 0;
  try {
    for await (const user of walked(view, query, walk)) if (++passed > query.skip) yield user;
  } catch (error) {
    if (!(error instanceof Misled) || !walk.fallback) throw error;
    ensureBudget(view, walk.fallback);
    const given = Math.max(query.skip, passed);
    const rest = { ...query, skip: given, take: query.take - (given - query.skip) };
    if (walk.fallback.kind === 'gather') yield* gather(view, rest, walk.fallback);
    else if (walk.fallback.kind === 'split') yield* inParts(view, rest, walk.fallback);
    else yield* inGroups(view, rest, await groupByName(view, walk.fallback.keyword, rest));
  }
}

/** The users at some ranks of the walk's list, in its direction. */
async function ranked(
  view: View,
  { list, direction }: Walk,
  start: number,
  end: number,
  total: number,
): Promise<User[]> {
  if (direction === 'asc') return slice(view, list, start, end, total);
  return (await slice(view, list, Math.max(0, total - end), total - start, total)).reverse();
}

/** So many neighbours of a page are read with it: most runs of equal values then are whole. */
const NEIGHBOURS = 4;

/** A page of a list at a depth, where runs of equal values must be put into order: each run has the ranks that it has. */
async function* soughtRuns(view: View, query: Query, walk: Walk, runs: Runs, total: number): Users {
  const { skip, take } = query;
  const end = Math.min(skip + take, total);
  const [from, to] = [Math.max(0, skip - NEIGHBOURS), Math.min(total, end + NEIGHBOURS)];
  const users = await ranked(view, walk, from, to, total);
  const texts = users.map((user) => sortText(user, runs.property));
  for (let start = 0, next: number; start < users.length && from + start < end; start = next) {
    const text = texts[start] ?? '';
    next = texts.findIndex((other, i) => i > start && other !== text);
    if (next < 0) next = users.length;
    if (from + next <= skip) continue;
    const isWhole = (start > 0 || from === 0) && (next < users.length || to === total);
    if (isWhole) {
      const run = inOrder(users.slice(start, next), runs.rest);
      yield* run.slice(Math.max(0, skip - from - start), end - from - start);
      continue;
    }
    const list = { ...walk.list, run: { property: runs.property, text } };
    const [low, high] = await ranksOfRun(view, list);
    const first = walk.direction === 'asc' ? low : total - high;
    const part = {
      skip: Math.max(0, skip - first),
      take: Math.min(end - first, high - low) - Math.max(0, skip - first),
    };
    const criteria = { ...query.criteria, texts: { ...query.criteria.texts, [runs.property]: text } };
    yield* limit(open(view, { criteria, order: runs.rest, ...part, total: high - low }), part.take);
  }
}

/** A page at a depth of a list that holds nobody else. */
async function* sought(view: View, query: Query, walk: Walk): Users {
  const total = query.total ?? (walk.list.run ? await countRun(view, walk.list) : await view.sizeOf(walk.list));
  // Users of one millisecond within a run: nothing tells their ranks.
  if (walk.runs && walk.list.run) yield* followed(view, query, walk);
  else if (walk.runs) yield* soughtRuns(view, query, walk, walk.runs, total);
  else yield* await ranked(view, walk, query.skip, Math.min(query.skip + query.take, total), total);
}

/** Several streams in the same order as one. */
async function* merged(streams: readonly Users[], order: Order): Users {
  const [rank, compare] = [rankBy(order), compareBy(order)];
  const heads = await Promise.all(streams.map(async (users) => ({ users, next: await users.next() })));
  for (;;) {
    const waiting = heads.flatMap((head) => (head.next.done ? [] : [{ head, ranked: rank(head.next.value) }]));
    const [first] = waiting.sort((a, b) => compare(a.ranked, b.ranked));
    if (!first) return;
    yield first.ranked.user;
    first.head.next = await first.head.users.next();
  }
}

/** The users of a group, in the rest of the order. */
function ofGroup(view: View, query: Query, { variants, total }: Group): Users {
  const [criteria, ...others] = variants;
  if (criteria && others.length === 0) return open(view, { ...query, criteria, total });
  const { skip, take } = query;
  const each = variants.map((variant) =>
    open(view, { ...query, criteria: variant, skip: 0, take: skip + take, total: undefined }),
  );
  return drop(merged(each, query.order), skip);
}

/** The groups that a page lies in are known: they are read side by side. */
async function* countedGroups(view: View, query: Query, { groups, rest }: Groups): Users {
  const parts: { group: Group; skip: number; take: number }[] = [];
  let position = 0;
  const end = query.skip + query.take;
  for (const group of groups) {
    const total = group.total ?? 0;
    const [first, last] = [Math.max(query.skip - position, 0), Math.min(end - position, total)];
    if (first < last) parts.push({ group, skip: first, take: last - first });
    position += total;
    if (position >= end) break;
  }
  const pages = await inParallel(parts, PARALLEL_READS, ({ group, ...window }) =>
    takeFrom(ofGroup(view, { ...query, ...window, order: rest }, group), window.take),
  );
  yield* pages.flat();
}

async function* inGroups(view: View, query: Query, plan: Groups): Users {
  const isCounted = plan.groups.every(({ total }) => total !== undefined);
  if (isCounted && Number.isFinite(query.take)) {
    yield* countedGroups(view, query, plan);
    return;
  }
  const { skip, take } = query;
  let passed = 0;
  for (const group of plan.groups) {
    const part = { ...query, order: plan.rest, skip: 0, take: skip + take - passed };
    for await (const user of ofGroup(view, part, group)) if (++passed > skip) yield user;
    if (passed >= skip + take) return;
  }
}

/** The users that a query asks for, in its order. They are read as they are asked for. */
export async function* open(view: View, query: Query): Users {
  const chosen = await view.steadily(() => plan(view, query));
  ensureBudget(view, chosen);
  view.plans.push(chosen);
  if (chosen.kind === 'groups') yield* inGroups(view, query, chosen);
  else if (chosen.kind === 'gather') yield* gather(view, query, chosen);
  else if (chosen.kind === 'split') yield* inParts(view, query, chosen);
  else if (chosen.isExact && query.skip > 0) yield* sought(view, query, chosen);
  else yield* followed(view, query, chosen);
}
