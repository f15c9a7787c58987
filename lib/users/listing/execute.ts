import { inParallel } from '../../parallel.ts';
import { both, type Span } from '../lists.ts';
import type { User } from '../user.ts';
import { ensureBudget, overBudget, unitsLeft } from './budget.ts';
import { idPrefixOf, matcherOf, orderOf, orderWithin, otherValues, type UserQuery } from './criteria.ts';
import { readFacts } from './facts.ts';
import { firstInOrder, totalOrder } from './order.ts';
import {
  adviceFor,
  choose,
  costOf,
  describePlan,
  type Facts,
  gatherOf,
  groupsWithin,
  type Plan,
  type PlanOf,
  weigh,
} from './plan.ts';
import { type RunReader, sortRuns } from './runs.ts';
import { firstUsers, PARALLEL_READS, readAll } from './scan.ts';
import { countByReading, sizeOf, usersAt } from './slice.ts';
import { countWanted, frameOf, rankOf } from './tiles.ts';
import type { View } from './view.ts';
import { walk } from './walk.ts';

/** Reads whole spans, and sorts who matches. */
async function gather(view: View, { criteria, order, skip, take }: UserQuery, spans: readonly Span[]): Promise<User[]> {
  const users = await readAll(view, spans, matcherOf(criteria));
  return firstInOrder(users, order, skip + take).slice(skip);
}

/** The part of a page's neighbourhood that is read, so that most runs of equal values at its ends are whole. */
function windowOf({ database }: View, { order, skip, take }: UserQuery, hasRuns: boolean, total: number) {
  const { neighbourUsers, nearUsers } = database.sizes;
  const end = Math.min(skip + take, total);
  if (!hasRuns || order.length === 1) return { start: skip, end };
  // Near an end of the list all users up to it are read anyway.
  const start = skip - neighbourUsers <= nearUsers ? 0 : skip - neighbourUsers;
  return { start, end: total - start <= nearUsers ? total : Math.min(total, end + neighbourUsers) };
}

/** A page of a span's users with wanted values: its segments count them. */
async function slice(
  view: View,
  query: UserQuery,
  facts: Facts,
  { span, otherwise }: PlanOf<'slice'>,
): Promise<User[]> {
  const { criteria, order, skip, take } = query;
  const { property, direction } = order[0];
  const { list } = span;
  const wanted = otherValues(criteria, list.index);
  const isWhole = Object.keys(wanted).length === 0;
  const instead = () => (otherwise ? execute(view, query, facts, otherwise) : Promise.resolve([]));
  // A guess without a journal does not know how many there are.
  const known = Number.isFinite(query.total) ? query.total : undefined;
  // Near its own end of the list nobody asks how many there are.
  const isNear =
    skip <= view.database.sizes.nearUsers && skip <= Math.max(0, (known ?? Number.POSITIVE_INFINITY) - skip - take);
  if (isWhole && isNear && !facts.hasRuns) return (await firstUsers(view, span, direction, skip + take)).slice(skip);
  const total = known ?? (await (isWhole ? sizeOf(view, span) : countWanted(view, span, wanted)));
  if (Number.isNaN(total)) return instead();
  const { start, end } = windowOf(view, query, facts.hasRuns, total);
  const [low, high] = direction === 'asc' ? [start, end] : [Math.max(0, total - end), total - start];
  const users = await usersAt(view, span, wanted, total, low, high);
  if (!users) return instead();
  if (direction === 'desc') users.reverse();
  if (!facts.hasRuns) return users;
  const prefix = orderOf(property) === 'id' ? idPrefixOf(span) : '';
  const keyIn = (key: string | undefined) => (key === undefined ? key : prefix + key);
  const reader: RunReader = {
    read: (run) => read(view, run),
    rank: async (key) => {
      const ranks = [keyIn(key), span.from].map((each) => rankOf(view, frameOf(span), each, wanted));
      const [rank = Number.NaN, offset = 0] = await Promise.all(ranks);
      const before = rank - offset;
      return Number.isNaN(before) && isWhole
        ? countByReading(view, { list, ...both(span, { to: keyIn(key) }) })
        : before;
    },
  };
  return (await sortRuns(query, { users, start, total }, reader)) ?? instead();
}

/** A walk leaves enough of the budget for what it may go over to, if there is enough. */
async function walkOr(view: View, query: UserQuery, facts: Facts, plan: PlanOf<'walk'>): Promise<User[]> {
  const { cost, otherwise } = plan;
  const left = unitsLeft(view);
  const isSafe = otherwise.cost.units <= left;
  const most = isSafe ? left - otherwise.cost.units : left;
  const users = isSafe && cost.units > most ? undefined : await walk(view, query, plan, facts.hasRuns, most);
  if (users) return users;
  if (!isSafe) throw overBudget(view.database.sizes.budgetUnits);
  return execute(view, query, facts, otherwise);
}

async function groups(view: View, query: UserQuery, plan: PlanOf<'groups'>): Promise<User[]> {
  const [, ...rest] = query.order;
  const parts = groupsWithin(plan.groups, query.skip, query.take);
  const users = await inParallel(parts, PARALLEL_READS, ({ group, skip, take }) =>
    read(view, { criteria: group.criteria, order: totalOrder(rest), skip, take, total: group.total }),
  );
  return users.flat();
}

async function execute(view: View, query: UserQuery, facts: Facts, plan: Plan): Promise<User[]> {
  view.plans.push(describePlan(plan));
  ensureBudget(view, plan.cost);
  if (plan.kind === 'slice') return slice(view, query, facts, plan);
  if (plan.kind === 'walk') return walkOr(view, query, facts, plan);
  if (plan.kind === 'groups') return groups(view, query, plan);
  return gather(view, query, plan.spans);
}

/** The users of a query, in its order. */
export async function read(view: View, given: UserQuery): Promise<User[]> {
  if (given.take <= 0) return [];
  const query = { ...given, order: totalOrder(orderWithin(given.criteria, given.order)) };
  const facts = await readFacts(view, query);
  return execute(view, query, facts, choose(facts, view.database.sizes.risks));
}

/** All matching users, sorted: no statistics tell how many there are. */
export async function readAndCount(view: View, query: Omit<UserQuery, 'skip' | 'take'>): Promise<User[]> {
  const all = { ...query, skip: 0, take: Number.POSITIVE_INFINITY };
  const { smallest = [] } = await readFacts(view, all);
  const plan = gatherOf(smallest);
  ensureBudget(view, plan.cost, adviceFor(query.criteria));
  view.plans.push(describePlan(plan));
  return gather(view, all, plan.spans);
}

/** The list in the order must cost this many times what a small part of another list costs, which is sorted in memory. */
const WORTH_SORTING = 2;

/** All matching users, sorted, if they are far fewer than the users of the list in their order. */
export async function readFew(view: View, query: Omit<UserQuery, 'skip' | 'take'>): Promise<User[] | undefined> {
  const all = { ...query, skip: 0, take: Number.POSITIVE_INFINITY };
  const { smallest, inOrder } = await readFacts(view, all);
  if (!smallest) return undefined;
  const plan = gatherOf(smallest);
  const { budgetUnits } = view.database.sizes;
  const whole = inOrder && costOf(inOrder.candidate.spans[0], inOrder.users);
  if (plan.cost.units > budgetUnits || (whole && WORTH_SORTING * weigh(plan.cost) > weigh(whole))) return undefined;
  view.plans.push(describePlan(plan));
  return gather(view, all, plan.spans);
}
