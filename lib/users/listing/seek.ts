import { isExactField, type SortProperty } from '../fields.ts';
import { sortText } from '../keys.ts';
import type { User } from '../user.ts';
import { inOneCase, withValue } from './cases.ts';
import type { Criteria } from './criteria.ts';
import { type Order, reversed } from './order.ts';
import type { Runs, UserQuery, Walk } from './plans.ts';
import { ranksOfRun, runAt, sizeOf } from './rank.ts';
import { inOrder } from './runs.ts';
import { slice } from './slice.ts';
import { limit, type Open, takeFrom, type Users } from './streams.ts';
import type { View } from './view.ts';

/** The users at the ranks [start, end) of the walk's list, in its direction. */
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

/** A deep page of a list whose runs of equal values must be put into order. */
interface Seek {
  view: View;
  query: UserQuery;
  walk: Walk;
  runs: Runs;
  /** How many users the list has. */
  total: number;
  open: Open;
}

/** The part of a run of equal values that is among the users read. */
interface Stretch {
  users: readonly User[];
  text: string;
  /** The ranks [start, end) of its users. */
  start: number;
  end: number;
  /** Whether the run begins, and ends, among the users read. */
  begins: boolean;
  ends: boolean;
}

function stretchesOf(users: readonly User[], property: SortProperty, from: number, total: number): Stretch[] {
  const texts = users.map((user) => sortText(user, property));
  const stretches: Stretch[] = [];
  for (let first = 0, next: number; first < users.length; first = next) {
    const text = texts[first] ?? '';
    next = texts.findIndex((other, i) => i > first && other !== text);
    if (next < 0) next = users.length;
    stretches.push({
      users: users.slice(first, next),
      text,
      start: from + first,
      end: from + next,
      begins: first > 0 || from === 0,
      ends: next < users.length || from + next === total,
    });
  }
  return stretches;
}

const inRun = ({ query: { criteria }, runs: { property } }: Seek, text: string): Criteria => ({
  ...criteria,
  texts: { ...criteria.texts, [property]: text },
});

/** The users of a run, in the rest of the order, at the ranks [skip, end) of the walk's list. */
async function* rankedInRun(given: Seek, text: string, skip: number, end: number): Users {
  const { view, query, walk, runs, total, open } = given;
  const [criteria, [low, high]] = await Promise.all([
    inOneCase(view, inRun(given, text)),
    ranksOfRun(view, walk.list, text),
  ]);
  const first = walk.direction === 'asc' ? low : total - high;
  const part = { skip: skip - first, take: end - skip };
  yield* limit(open(view, { ...query, criteria, order: runs.rest, ...part, total: high - low }), part.take);
}

/** The first users of a run in an order. They are read while it turns out whether all have the value of those that are known. */
async function firstOfRun(given: Seek, { text, users: [known] }: Stretch, order: Order, take: number): Promise<User[]> {
  const { view, query, runs, open } = given;
  const ofCriteria = (criteria: Criteria) =>
    takeFrom(open(view, { ...query, criteria, order, skip: 0, take, total: undefined }), take);
  const criteria = inRun(given, text);
  if (!isExactField(runs.property)) return ofCriteria(criteria);
  const likely = withValue(criteria, runs.property, known?.[runs.property]);
  const [sure, users] = await Promise.all([inOneCase(view, criteria), ofCriteria(likely)]);
  return sure.values[runs.property] === likely.values[runs.property] ? users : ofCriteria(sure);
}

/** The users of a stretch, in the rest of the order, at the ranks [skip, end) of the walk's list. */
async function* partOfRun(given: Seek, stretch: Stretch, skip: number, end: number): Users {
  const { runs } = given;
  const { text, users, start, begins, ends } = stretch;
  const isById = runs.rest[0].property === 'id';
  if (begins && ends) yield* inOrder(users, runs.rest).slice(skip - start, end - start);
  else if (begins && isById) yield* (await firstOfRun(given, stretch, runs.rest, end - start)).slice(skip - start);
  else if (ends && isById) {
    const last = await firstOfRun(given, stretch, reversed(runs.rest), stretch.end - skip);
    yield* last.reverse().slice(0, end - skip);
  } else yield* rankedInRun(given, text, skip, end);
}

/** The sort text of all users at the ranks [skip, end), if segments tell that it is the same. */
async function runAround({ view, walk: { list, direction }, total }: Seek, skip: number, end: number) {
  const { nearUsers } = view.database.sizes;
  if (skip <= nearUsers || total - end <= nearUsers) return undefined;
  const ends = direction === 'asc' ? [skip, end - 1] : [total - 1 - skip, total - end];
  const [first, last] = await Promise.all(ends.map((rank) => runAt(view, list, rank, total)));
  return first === last ? first : undefined;
}

/** The order within a run does not change the ranks that the run has in the list. */
async function* seekRuns(given: Seek): Users {
  const { view, query, walk, runs, total } = given;
  const { skip, take } = query;
  const end = Math.min(skip + take, total);
  const text = await runAround(given, skip, end);
  if (text !== undefined) {
    yield* rankedInRun(given, text, skip, end);
    return;
  }
  const { neighbourUsers, nearUsers } = view.database.sizes;
  // Near an end of the list all users up to it are read anyway.
  const from = skip - neighbourUsers <= nearUsers ? 0 : skip - neighbourUsers;
  const to = total - from <= nearUsers ? total : Math.min(total, end + neighbourUsers);
  const users = await ranked(view, walk, from, to, total);
  const parts = stretchesOf(users, runs.property, from, total)
    .filter((stretch) => stretch.end > skip && stretch.start < end)
    .map((stretch) => partOfRun(given, stretch, Math.max(skip, stretch.start), Math.min(end, stretch.end)));
  for (const part of await Promise.all(parts.map((part) => takeFrom(part, take)))) yield* part;
}

/** A deep page of a list in which all users match. */
export async function* seek(view: View, query: UserQuery, walk: Walk, open: Open): Users {
  const total = query.total ?? (await sizeOf(view, walk.list));
  if (walk.runs) yield* seekRuns({ view, query, walk, runs: walk.runs, total, open });
  else yield* await ranked(view, walk, query.skip, Math.min(query.skip + query.take, total), total);
}
