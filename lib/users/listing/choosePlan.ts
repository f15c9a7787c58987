import { EXACT_FIELDS, isExactField } from '../fields.ts';
import type { List } from '../lists.ts';
import { isPiece } from '../statistics/lastNames.ts';
import { type Criteria, isExact, listInOrder } from './criteria.ts';
import { type Order, totalOrder } from './order.ts';
import { gatherOf } from './planGather.ts';
import { gatherFew, groupByCase, groupByName, groupByValue } from './planGroups.ts';
import { entriesPerUnit, type Names, type Plan, type UserQuery, unitsOf, type Walk } from './plans.ts';
import { sizeOf } from './rank.ts';
import type { View } from './view.ts';

/** Undefined if the list itself has the order: within a run of one text it is in the order of ids. */
function runsOf([lead, next, ...more]: Order): Walk['runs'] {
  if (lead.property === 'id' || !next) return undefined;
  const isOwn =
    more.length === 0 && next.property === 'id' && next.direction === lead.direction && !isExactField(lead.property);
  return isOwn ? undefined : { property: lead.property, rest: totalOrder([next, ...more]) };
}

function walkOf(list: List, [lead, ...rest]: Order, exact: boolean, estimate: number): Walk {
  const runs = runsOf([lead, ...rest]);
  return { kind: 'walk', list, direction: lead.direction, ...(runs && { runs }), isExact: exact, estimate };
}

const cheaper = <A extends Plan, B extends Plan>(a: A, b: B): A | B => (b.estimate < a.estimate ? b : a);

/** What reading the names with one letter costs at 100,000 users. */
const UNITS_OF_NAMES = 160;

const namesWith = (keyword: string): Names => ({ kind: 'names', keyword, estimate: UNITS_OF_NAMES });

/** About how many users match, if no statistics count them. */
async function estimateOf(view: View, criteria: Criteria): Promise<number> {
  if (criteria.keyword !== undefined) return (await view.keyword(criteria.keyword)).total(criteria.values);
  const { lists, estimate } = await gatherOf(view, criteria, undefined);
  return lists[0] ? estimate * entriesPerUnit(lists[0]) : 0;
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
  const folded = EXACT_FIELDS.find((field) => criteria.texts[field] !== undefined);
  if (folded) return groupByCase(view, folded, query);

  const wanted = Number.isFinite(take) ? take : (total ?? 0);
  const list = listInOrder(criteria, lead.property);
  if (list && isExact(criteria, list)) return walkOf(list, order, true, unitsOf(list, wanted));
  if (isExactField(lead.property)) return gatherFew(view, query) ?? groupByValue(view, lead.property, query);
  if (!list) throw new Error(`There is no list in the order of ${lead.property}`);

  const matching = total ?? (await estimateOf(view, criteria));
  const size = Math.max(matching, await sizeOf(view, list));
  const share = Math.min(1, (skip + take) / Math.max(matching, 1));
  const walk = walkOf(list, order, false, unitsOf(list, share * size));
  const isByName = lead.property === 'lastName' && criteria.after === undefined;
  if (criteria.keyword !== undefined && (await isCommon(view, criteria.keyword)))
    return isByName ? { ...walk, fallback: namesWith(criteria.keyword) } : walk;
  const certain = await gatherOf(view, query.criteria, query.total);
  const best: Plan =
    walk.estimate * view.database.sizes.walkPromise < certain.estimate ? { ...walk, fallback: certain } : certain;
  return criteria.keyword !== undefined && isByName
    ? cheaper(best, await groupByName(view, criteria.keyword, query))
    : best;
}
