/** Reads the users of a query by the plan that is chosen for it. */
import { inParallel } from '../../parallel.ts';
import type { User } from '../user.ts';
import { ensureBudget, overBudget, unitsLeft } from './budget.ts';
import { partPast } from './candidates.ts';
import { PARALLEL_READS } from './cost.ts';
import { readCounts } from './counting.ts';
import { matcherOf, withText } from './criteria.ts';
import { cutUp } from './cutUp.ts';
import { hasOwnOrder, opposite, reversed, sortedBy, totalOrder } from './order.ts';
import { choose, describePlan, groupsWithin, type Plan, type PlanOf } from './plan.ts';
import { type Query, queryOf } from './query.ts';
import { countSpan, isAnyone, NotCounted, sizeOf } from './ranks.ts';
import { type Run, runsOf, type Window } from './runs.ts';
import { readAll, takeFirst } from './scan.ts';
import { usersAt } from './slice.ts';
import type { View } from './view.ts';
import { walk } from './walk.ts';

/** Reads whole spans, and sorts who matches. */
async function gather(view: View, query: Query, { spans }: PlanOf<'gather'>): Promise<User[]> {
  const { criteria, order, skip, take } = query;
  const matches = matcherOf(criteria);
  const unread = spans.filter(({ known }) => !known);
  const cut = await Promise.all(unread.map((each) => cutUp(view, each, 'asc')));
  const read = await readAll(
    view,
    cut.flatMap(({ parts, rest }) => [...parts, rest.span]),
    matches,
  );
  const users = [...spans.flatMap(({ known = [] }) => known).filter(matches), ...read];
  return sortedBy(users, order).slice(skip, skip + take);
}

/** The places of a page and of its neighbours, so that most runs of equal values at its ends are read whole. */
function placesOf({ database }: View, { order, skip, take }: Query, total: number): [start: number, end: number] {
  const { neighbourUsers, nearUsers } = database.sizes;
  const end = Math.min(skip + take, total);
  if (hasOwnOrder(order)) return [skip, end];
  // Near an end of the list all users up to it are read anyway.
  const start = skip - neighbourUsers <= nearUsers ? 0 : skip - neighbourUsers;
  return [start, total - start <= nearUsers ? total : Math.min(total, end + neighbourUsers)];
}

/** A list in the order of the first property, and whom of its users it is about. */
type Ordered = Pick<PlanOf<'slice'>, 'span' | 'remaining'>;

/** The users of a page who are in a run, in the rest of the order. A run that is not whole in the window is a query of its own. */
async function usersOfRun(view: View, query: Query, { span, remaining }: Ordered, run: Run): Promise<User[]> {
  const { criteria, order, skip } = query;
  const [{ property, direction }, ...rest] = order;
  const [from, to] = [Math.max(skip, run.start), Math.min(skip + query.take, run.end)];
  if (run.begins && run.ends) return sortedBy(run.users, rest).slice(from - run.start, to - run.start);
  const ofRun = withText(criteria, property, run.text);
  const take = to - from;
  if (!run.begins && run.ends) {
    const part = { skip: run.end - to, take };
    return (await planAndRead(view, queryOf(ofRun, reversed(totalOrder(rest)), part))).reverse();
  }
  const before = partPast(span, property, run.text, opposite(direction));
  const start = run.begins ? run.start : await countSpan(view, before, remaining);
  return planAndRead(view, queryOf(ofRun, rest, { skip: from - start, take }));
}

/** A page of a list in the order of the first property, in the whole order. */
async function inRuns(view: View, query: Query, list: Ordered, window: Window): Promise<User[]> {
  const { order, skip, take } = query;
  if (hasOwnOrder(order)) return window.users.slice(skip - window.start, skip + take - window.start);
  const runs = runsOf(window, order[0]).filter(({ start, end }) => end > skip && start < skip + take);
  return (await Promise.all(runs.map((run) => usersOfRun(view, query, list, run)))).flat();
}

/** A page of the users of a span with the remaining values, whom its segments count. @throws {NotCounted} */
async function slice(view: View, query: Query, plan: PlanOf<'slice'>): Promise<User[]> {
  const { order, skip, take } = query;
  const { span, remaining } = plan;
  const [{ direction }] = order;
  const isOrdered = hasOwnOrder(order);
  const isNear = isAnyone(remaining) && skip <= view.database.sizes.nearUsers;
  if (isOrdered && isNear) return (await takeFirst(view, span, direction, skip + take)).slice(skip);
  const total = query.total ?? (await (isAnyone(remaining) ? sizeOf(view, span) : countSpan(view, span, remaining)));
  const [start, end] = placesOf(view, query, total);
  const places = direction === 'asc' ? ([start, end] as const) : ([Math.max(0, total - end), total - start] as const);
  const users = await usersAt(view, span, remaining, total, places);
  if (direction === 'desc') users.reverse();
  return inRuns(view, query, plan, { users, start, total });
}

async function sliceOr(view: View, query: Query, plan: PlanOf<'slice'>): Promise<User[]> {
  try {
    return await slice(view, query, plan);
  } catch (error) {
    if (error instanceof NotCounted && plan.otherwise) return execute(view, query, plan.otherwise);
    throw error;
  }
}

/** A walk leaves enough of the budget for what it may go over to, if there is enough. */
async function walkOr(view: View, query: Query, plan: PlanOf<'walk'>): Promise<User[]> {
  const { cost, otherwise } = plan;
  const left = unitsLeft(view);
  const isSafe = otherwise.cost.units <= left;
  const most = isSafe ? left - otherwise.cost.units : left;
  const window = isSafe && cost.units > most ? undefined : await walk(view, query, plan, most);
  if (window) return inRuns(view, query, { ...plan, remaining: query.criteria.wanted }, window);
  if (!isSafe) throw overBudget(view.database.sizes.budgetUnits);
  return execute(view, query, otherwise);
}

async function groups(view: View, { order, skip, take }: Query, plan: PlanOf<'groups'>): Promise<User[]> {
  const [, ...rest] = order;
  const parts = groupsWithin(plan.groups, skip, take);
  const users = await inParallel(parts, PARALLEL_READS, ({ group: { criteria, total }, ...part }) =>
    planAndRead(view, queryOf(criteria, rest, { skip: part.skip, take: part.take, total })),
  );
  return users.flat();
}

/** @throws {ServiceError} 400 when it would cost more than what is left of the budget */
export async function execute(view: View, query: Query, plan: Plan, advice?: string): Promise<User[]> {
  view.plans.push(describePlan(plan));
  ensureBudget(view, plan.cost, advice);
  switch (plan.kind) {
    case 'slice':
      return sliceOr(view, query, plan);
    case 'walk':
      return walkOr(view, query, plan);
    case 'groups':
      return groups(view, query, plan);
    case 'gather':
      return gather(view, query, plan);
  }
}

/** The users of a query, in its order. */
export async function planAndRead(view: View, query: Query): Promise<User[]> {
  if (query.take <= 0) return [];
  const counts = await readCounts(view, query);
  return execute(view, query, choose(query, counts, view.database.sizes.risks));
}
