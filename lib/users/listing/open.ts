import type { SortProperty } from '../fields.ts';
import { ensureBudget } from './budget.ts';
import { inOneCase } from './cases.ts';
import { choosePlan } from './choosePlan.ts';
import type { Criteria } from './criteria.ts';
import { follow } from './follow.ts';
import { gather } from './gather.ts';
import { inGroups } from './groups.ts';
import { type Order, totalOrder } from './order.ts';
import { groupByName } from './planGroups.ts';
import type { Plan, UserQuery, Walk } from './plans.ts';
import { seek } from './seek.ts';
import type { Users } from './streams.ts';
import type { View } from './view.ts';

/** Continues a misled walk with its fallback. */
async function* changeOver(view: View, query: UserQuery, fallback: NonNullable<Walk['fallback']>): Users {
  ensureBudget(view, fallback);
  const chosen = fallback.kind === 'names' ? await groupByName(view, fallback.keyword, query) : fallback;
  view.plans.push(chosen);
  yield* execute(view, query, chosen);
}

function execute(view: View, query: UserQuery, chosen: Plan): Users {
  if (chosen.kind === 'groups') return inGroups(open, view, query, chosen);
  if (chosen.kind === 'gather') return gather(view, query, chosen);
  if (chosen.isExact && query.skip > 0) return seek(view, query, chosen, open);
  return follow(view, query, chosen, open, (rest, fallback) => changeOver(view, rest, fallback));
}

/** Drops properties that have the same value in all matching users: they cannot order them. */
function orderWithin({ values, texts }: Criteria, order: Order): Order {
  const isFixed = (property: SortProperty) => property in texts || property in values;
  return totalOrder(order.filter(({ property }) => !isFixed(property)));
}

/** The users of a query, in its order. They are read as the caller consumes them. */
export async function* open(view: View, given: UserQuery): Users {
  const criteria = await inOneCase(view, given.criteria);
  const query = { ...given, criteria, order: orderWithin(criteria, given.order) };
  const chosen = await view.retryWhenMoved(() => choosePlan(view, query));
  ensureBudget(view, chosen);
  view.plans.push(chosen);
  yield* execute(view, query, chosen);
}
