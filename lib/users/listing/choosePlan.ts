import { FIELDS_LISTED_IN_EVERY_ORDER, isExactField, isOrderedByText } from '../fields.ts';
import type { List } from '../lists.ts';
import { isPiece } from '../statistics/lastNames.ts';
import { type Criteria, isExact, listInOrder, listsById } from './criteria.ts';
import { type Order, totalOrder } from './order.ts';
import { gatherOf } from './planGather.ts';
import { gatherFew, groupByName, groupByValue } from './planGroups.ts';
import {
  ENTRIES_PER_UNIT,
  type Gather,
  type Names,
  type Plan,
  type Split,
  UNITS_PER_QUERY,
  type UserQuery,
  unitsOf,
  type Walk,
} from './plans.ts';
import type { View } from './view.ts';

/** The cost of reading how many users each value of a field has. */
const UNITS_OF_VALUES = 3;

/** Undefined if the list itself has the order: within a run it is in the order of ids. */
function runsOf([lead, next, ...more]: Order): Walk['runs'] {
  if (lead.property === 'id' || !next) return undefined;
  const isOwn = more.length === 0 && next.property === 'id' && next.direction === lead.direction;
  return isOwn ? undefined : { property: lead.property, rest: totalOrder([next, ...more]) };
}

function walkOf(list: List, [lead, ...rest]: Order, exact: boolean, estimate: number): Walk {
  const runs = runsOf([lead, ...rest]);
  return { kind: 'walk', list, direction: lead.direction, ...(runs && { runs }), isExact: exact, estimate };
}

const cheaper = <A extends Plan, B extends Plan>(a: A, b: B): A | B => (b.estimate < a.estimate ? b : a);

/**
 * Names are not spread evenly over countries. So counts predict well how far to read in the list of one country, but not in
 * the list of all users.
 */
async function splitOf(view: View, { criteria, order, skip, take }: UserQuery, walk: Walk): Promise<Split | undefined> {
  const [field] = FIELDS_LISTED_IN_EVERY_ORDER;
  const { keyword, texts, values } = criteria;
  if (
    !field ||
    keyword === undefined ||
    !isOrderedByText(order[0].property) ||
    Object.keys(texts).length > 0 ||
    !Number.isFinite(skip + take)
  )
    return undefined;
  const parts = (await view.lastNames(keyword)).byValue(field, values).size;
  const sizes = values[field] === undefined ? UNITS_OF_VALUES : UNITS_PER_QUERY;
  return { kind: 'split', field, keyword, estimate: sizes + parts * UNITS_PER_QUERY + walk.estimate };
}

/** What reading the names with one letter costs at 100,000 users. */
const UNITS_OF_NAMES = 160;

const namesWith = (keyword: string): Names => ({ kind: 'names', keyword, estimate: UNITS_OF_NAMES });

/** A plan whose cost is known in advance. */
async function certainOf(view: View, query: UserQuery, walk: Walk): Promise<Gather | Split> {
  const gather = await gatherOf(view, query.criteria, query.total);
  const split = await splitOf(view, query, walk);
  return split && split.estimate < gather.estimate ? split : gather;
}

/** About how many users match, if no statistics count them. */
async function estimateOf(view: View, criteria: Criteria): Promise<number> {
  if (criteria.keyword !== undefined) return (await view.keyword(criteria.keyword)).total(criteria.values);
  return (await gatherOf(view, criteria, undefined)).estimate * ENTRIES_PER_UNIT;
}

/** Whether so many users have a short keyword in their names that reading the names costs more than a walk. */
async function isCommon(view: View, keyword: string): Promise<boolean> {
  if (!isPiece(keyword)) return false;
  return (await view.keyword(keyword)).total({}) > view.database.sizes.commonUsers;
}

/** The cheapest plan for a query, by exact counts. Reads statistics if it needs them. */
export async function choosePlan(view: View, query: UserQuery): Promise<Plan> {
  const { criteria, order, skip, take, total } = query;
  const [lead] = order;
  if (isExactField(lead.property)) return gatherFew(view, query) ?? groupByValue(view, lead.property, query);

  const wanted = Number.isFinite(take) ? take : (total ?? 0);
  const list = listInOrder(criteria, lead.property);
  if (list && isExact(criteria, list)) return walkOf(list, order, true, unitsOf(wanted));
  const run = lead.property === 'id' ? listsById(criteria).find((each) => isExact(criteria, each)) : undefined;
  if (run) return walkOf(run, order, true, unitsOf(wanted));
  if (!list) throw new Error(`There is no list in the order of ${lead.property}`);

  const matching = total ?? (await estimateOf(view, criteria));
  const size = Math.max(matching, await view.sizeOf(list));
  const share = Math.min(1, (skip + take) / Math.max(matching, 1));
  const walk = walkOf(list, order, false, unitsOf(share * size));
  const isByName = lead.property === 'lastName' && criteria.after === undefined;
  if (criteria.keyword !== undefined && (await isCommon(view, criteria.keyword)))
    return isByName ? { ...walk, fallback: namesWith(criteria.keyword) } : walk;
  const certain = await certainOf(view, query, walk);
  const { walkPromise } = view.database.sizes;
  const promise = criteria.keyword !== undefined && isOrderedByText(lead.property) ? walkPromise : 1;
  const best: Plan = walk.estimate * promise < certain.estimate ? { ...walk, fallback: certain } : certain;
  return criteria.keyword !== undefined && isByName
    ? cheaper(best, await groupByName(view, criteria.keyword, query))
    : best;
}
