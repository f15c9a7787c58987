import {
  EXACT_FIELDS,
  type ExactField,
  FIELDS,
  FIELDS_LISTED_IN_EVERY_ORDER,
  type FieldRules,
  type SortProperty,
} from '../fields.ts';
import { encodeOptional, foldEncoded } from '../keys.ts';
import type { List } from '../lists.ts';
import { nameOf } from '../lists.ts';
import { isPiece } from '../statistics/lastNames.ts';
import { compareCodePoints } from '../text.ts';
import { type Criteria, isExact, listInOrder, listsById } from './criteria.ts';
import { type Direction, type Order, totalOrder } from './order.ts';
import { countRun } from './rank.ts';
import type { View } from './view.ts';

/** Users in order, from one of them on. */
export interface Query {
  criteria: Criteria;
  order: Order;
  /** How many of them to leave out first. */
  skip: number;
  /** How many are wanted after that; may be Infinity. */
  take: number;
  /** How many match, if that is known. */
  total?: number | undefined;
}

/** Follow a list and drop who does not match. */
export interface Walk {
  kind: 'walk';
  list: List;
  direction: Direction;
  /** The property whose runs of equal values must be put into the order `rest`; none where the list has the order. */
  runs?: { property: SortProperty; rest: Order };
  /** Nobody is dropped: a walk may begin anywhere. */
  isExact: boolean;
  /** Read units that are expected. */
  estimate: number;
  /** What to change over to when the walk has cost as much as that would. */
  fallback?: Gather | Split | Names;
}

export type Runs = NonNullable<Walk['runs']>;

/** Read lists whole, and put into order in memory who matches. */
export interface Gather {
  kind: 'gather';
  lists: readonly List[];
  estimate: number;
}

/** Read the lists of each value of a field by itself, no further than the page can reach. */
export interface Split {
  kind: 'split';
  field: ExactField;
  keyword: string;
  estimate: number;
}

/** Read the last names that contain the keyword, and go from name to name. */
export interface Names {
  kind: 'names';
  keyword: string;
  estimate: number;
}

/** Users with equal values of the property that comes first in the order, after each other. */
export interface Groups {
  kind: 'groups';
  property: SortProperty;
  groups: readonly Group[];
  rest: Order;
  estimate: number;
}

export interface Group {
  /** One each for values that differ in case alone. */
  variants: readonly Criteria[];
  /** How many users it has, if that is known. */
  total?: number;
}

export type Plan = Walk | Gather | Split | Groups;

/** An eventually consistent read unit covers 8 KB. */
export const ENTRIES_PER_UNIT = 40;
export const UNITS_PER_QUERY = 0.5;

/** To read how many users each value of a field has. */
const UNITS_OF_VALUES = 3;

/** Enough to hide the round trips of many short lists. */
export const PARALLEL_READS = 8;

const unitsOf = (entries: number): number => Math.max(UNITS_PER_QUERY, entries / ENTRIES_PER_UNIT);

/** A property that has one value in all that match cannot order them. */
function orderWithin({ values, texts }: Criteria, order: Order): Order {
  const isFixed = (property: SortProperty) => property in texts || property in values;
  return totalOrder(order.filter(({ property }) => !isFixed(property)));
}

/** Whether a list has the order by itself: within a run it is in the order of ids. */
function runsOf([lead, next, ...more]: Order): Walk['runs'] {
  if (lead.property === 'id' || !next) return undefined;
  const isOwn = more.length === 0 && next.property === 'id' && next.direction === lead.direction;
  return isOwn ? undefined : { property: lead.property, rest: totalOrder([next, ...more]) };
}

function walkOf(list: List, [lead, ...rest]: Order, exact: boolean, estimate: number): Walk {
  const runs = runsOf([lead, ...rest]);
  return { kind: 'walk', list, direction: lead.direction, ...(runs && { runs }), isExact: exact, estimate };
}

/** Names and addresses differ by country and script, as last names do: those with a keyword are not spread evenly. */
const isText = (property: SortProperty): boolean =>
  property in FIELDS && (FIELDS as Record<string, FieldRules>)[property]?.order === 'text';

const isExactField = (property: SortProperty): property is ExactField =>
  (EXACT_FIELDS as readonly SortProperty[]).includes(property);

/** How many users the list of these criteria has, without its run. */
const sizeOf = (view: View, list: List, { values }: Criteria): Promise<number> =>
  view.total(Object.fromEntries(list.index.filters.map((field) => [field, values[field]])));

async function gatherOf(view: View, criteria: Criteria, matching: number | undefined): Promise<Gather> {
  if (criteria.keyword !== undefined) return gatherNames(view, criteria, criteria.keyword);
  const lists = listsById(criteria);
  const runs = lists.filter(({ run }) => run !== undefined);
  const [list] = runs.length > 0 ? runs : lists;
  if (!list) throw new Error('There is a list of all users by id');
  const isKnown = matching !== undefined && isExact(criteria, list);
  const size = isKnown ? matching : list.run ? await countRun(view, list) : await sizeOf(view, list, criteria);
  return { kind: 'gather', lists: [list], estimate: unitsOf(size) };
}

/** The users of every name that contains the keyword. */
async function gatherNames(view: View, criteria: Criteria, keyword: string): Promise<Gather> {
  const names = await view.lastNames(keyword);
  const list = listInOrder(criteria, 'lastName');
  if (!list) throw new Error('There is a list of all users by last name');
  const values = Object.fromEntries(list.index.filters.map((field) => [field, criteria.values[field]]));
  const sizes = names.byName(values);
  const wanted = names.byName(criteria.values);
  let estimate = 0;
  const lists: List[] = [];
  for (const name of wanted.keys()) {
    const text = encodeOptional(name);
    estimate += unitsOf(sizes.get(name) ?? 0);
    lists.push({ ...list, run: { property: 'lastName', text } });
  }
  return { kind: 'gather', lists, estimate };
}

/** Values in the order of the folded texts that sort them; those of equal texts together. */
function groupsOf(
  property: ExactField,
  criteria: Criteria,
  totals: ReadonlyMap<string, number>,
  isCounted: boolean,
): Group[] {
  const groups = new Map<string, { variants: Criteria[]; total: number }>();
  for (const [value, total] of totals) {
    const text = foldEncoded(value);
    const group = groups.get(text) ?? { variants: [], total: 0 };
    groups.set(text, group);
    group.variants.push({ ...criteria, values: { ...criteria.values, [property]: value } });
    group.total += total;
  }
  return [...groups]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([, { variants, total }]) => (isCounted ? { variants, total } : { variants }));
}

/** So few users that to read them all costs no more than a Query for each of some groups. */
function gatherFew({ database }: View, { criteria, total }: Query): Gather | undefined {
  const list = listsById(criteria).find((each) => isExact(criteria, each));
  if (!list || total === undefined || total > database.sizes.nearUsers) return undefined;
  return { kind: 'gather', lists: [list], estimate: unitsOf(total) };
}

async function groupByValue(view: View, property: ExactField, { criteria, order }: Query): Promise<Groups> {
  const { keyword, texts, values } = criteria;
  const totals =
    keyword === undefined
      ? new Map((await view.values(property, values)).map(({ value, total }) => [value, total]))
      : (await view.keyword(keyword)).byValue(property, values);
  const isCounted = Object.keys(texts).length === 0 && criteria.after === undefined;
  const groups = groupsOf(property, criteria, totals, isCounted);
  const [lead, ...rest] = order;
  return {
    kind: 'groups',
    property,
    groups: lead.direction === 'asc' ? groups : groups.reverse(),
    rest: totalOrder(rest),
    estimate: UNITS_PER_QUERY,
  };
}

/** Sorted by last name, with a keyword: name after name. */
export async function groupByName(
  view: View,
  keyword: string,
  { criteria, order, skip, take }: Query,
): Promise<Groups> {
  const names = (await view.lastNames(keyword)).byName(criteria.values);
  const [lead, ...rest] = order;
  const sign = lead.direction === 'asc' ? 1 : -1;
  const { keyword: _, ...others } = criteria;
  const groups = [...names]
    .sort(([a], [b]) => sign * compareCodePoints(a, b))
    .map(([name, total]) => ({
      variants: [{ ...others, texts: { ...criteria.texts, lastName: encodeOptional(name) } }],
      total,
    }));
  let [read, users] = [0, 0];
  for (const { total } of groups) {
    if (users >= skip + take) break;
    users += total;
    if (users > skip) read++;
  }
  // The counts know nothing of users with certain texts.
  const isCounted = Object.keys(criteria.texts).length === 0;
  return {
    kind: 'groups',
    property: 'lastName',
    groups: isCounted ? groups : groups.map(({ variants }) => ({ variants })),
    rest: totalOrder(rest),
    estimate: read * UNITS_PER_QUERY,
  };
}

const cheaper = <A extends Plan, B extends Plan>(a: A, b: B): A | B => (b.estimate < a.estimate ? b : a);

/**
 * Names, and whom they belong to, differ from country to country: a list of one country is close to what its counts
 * promise where a list of all is not.
 */
async function splitOf(view: View, { criteria, order, skip, take }: Query, walk: Walk): Promise<Split | undefined> {
  const [field] = FIELDS_LISTED_IN_EVERY_ORDER;
  const { keyword, texts, values } = criteria;
  if (
    !field ||
    keyword === undefined ||
    !isText(order[0].property) ||
    Object.keys(texts).length > 0 ||
    !Number.isFinite(skip + take)
  )
    return undefined;
  const parts = (await view.lastNames(keyword)).byValue(field, values).size;
  const sizes = values[field] === undefined ? UNITS_OF_VALUES : UNITS_PER_QUERY;
  return { kind: 'split', field, keyword, estimate: sizes + parts * UNITS_PER_QUERY + walk.estimate };
}

/** The cheapest way to users in order, by exact counts. Reads statistics where it has to. */
export async function plan(view: View, given: Query): Promise<Plan> {
  const query = { ...given, order: orderWithin(given.criteria, given.order) };
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
  const size = Math.max(matching, await sizeOf(view, list, criteria));
  const share = Math.min(1, (skip + take) / Math.max(matching, 1));
  const walk = walkOf(list, order, false, unitsOf(share * size));
  const isByName = lead.property === 'lastName' && criteria.after === undefined;
  if (criteria.keyword !== undefined && (await isCommon(view, criteria.keyword)))
    return isByName ? { ...walk, fallback: namesWith(criteria.keyword) } : walk;
  const certain = await certainOf(view, query, walk);
  const { walkPromise } = view.database.sizes;
  const promise = criteria.keyword !== undefined && isText(lead.property) ? walkPromise : 1;
  const best: Plan = walk.estimate * promise < certain.estimate ? { ...walk, fallback: certain } : certain;
  return criteria.keyword !== undefined && isByName
    ? cheaper(best, await groupByName(view, criteria.keyword, query))
    : best;
}

/** As many units as the names with a letter in them take at 100,000 users. */
const UNITS_OF_NAMES = 160;

const namesWith = (keyword: string): Names => ({ kind: 'names', keyword, estimate: UNITS_OF_NAMES });

/** A way whose cost is known before it is gone. */
async function certainOf(view: View, query: Query, walk: Walk): Promise<Gather | Split> {
  const gather = await gatherOf(view, query.criteria, query.total);
  const split = await splitOf(view, query, walk);
  return split && split.estimate < gather.estimate ? split : gather;
}

/** About how many match, where nothing counts them. */
async function estimateOf(view: View, criteria: Criteria): Promise<number> {
  if (criteria.keyword !== undefined) return (await view.keyword(criteria.keyword)).total(criteria.values);
  return (await gatherOf(view, criteria, undefined)).estimate * ENTRIES_PER_UNIT;
}

/** Whether so many users have a short keyword in their names that to read the names is dearer than to walk. */
async function isCommon(view: View, keyword: string): Promise<boolean> {
  if (!isPiece(keyword)) return false;
  return (await view.keyword(keyword)).total({}) > view.database.sizes.commonUsers;
}

/** One line for people: what is read, and how. */
export function describe(plan: Plan): string {
  if (plan.kind === 'groups') return `by ${plan.property}`;
  if (plan.kind === 'split') return `split by ${plan.field}`;
  if (plan.kind === 'gather') return `gather ${plan.lists[0] ? nameOf(plan.lists[0]) : 'nothing'}`;
  return `${plan.isExact ? 'seek' : 'walk'} ${nameOf(plan.list)}`;
}
