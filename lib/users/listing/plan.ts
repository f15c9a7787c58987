/**
 * A plan says how the users of a query are read. It is chosen from counts, by units and rounds, before users are read.
 *
 * - `slice`: a list has the order, and its segments count the users: ranks tell where the page is.
 * - `walk`: a list has the order, and other users, too, who are dropped. It begins at an end of the list. Its cost is known only
 *   afterwards, so it has a limit, and another plan to go over to.
 * - `gather`: the smallest parts of lists that have all users are read whole, and sorted.
 * - `groups`: counts tell how many users each value, or each last name, of the first property has. Each is a query of its own.
 */
import type { Wanted } from '../counts/segments.ts';
import { nameOf, type Span } from '../lists.ts';
import type { Candidate } from './candidates.ts';
import {
  type Cost,
  costOf,
  costOfAll,
  type Sized,
  timesCost,
  UNITS_PER_QUERY,
  usersOf,
  weightOf,
  withRounds,
} from './cost.ts';
import type { Criteria } from './criteria.ts';
import { hasOwnOrder } from './order.ts';
import type { Query } from './query.ts';

/** The users with one sort text in the first property. */
export interface Group {
  criteria: Criteria;
  total: number;
}

/** What is known of a query before users are read. */
export interface Counts {
  /** How many users match, or about how many. */
  matching: number;
  /** Parts of lists that have the order of the first property and all matching users. */
  ordered?: (Pick<Candidate, 'fit' | 'remaining'> & { spans: readonly Sized[] }) | undefined;
  /** The smallest spans that have all matching users. */
  smallest?: readonly Sized[] | undefined;
  /** In order, if the counts tell. */
  groups?: readonly Group[] | undefined;
  /** The groups are last names with a keyword, which are not spread evenly in the order of names. */
  areNames?: boolean;
}

export type Plan =
  | { kind: 'slice'; span: Span; remaining: Wanted; cost: Cost; otherwise: Plan | undefined }
  | { kind: 'walk'; span: Span; users: number; cost: Cost; doubt: number; otherwise: Plan }
  | { kind: 'gather'; spans: readonly Sized[]; cost: Cost }
  | { kind: 'groups'; groups: readonly Group[]; cost: Cost };

export type PlanOf<Kind extends Plan['kind']> = Extract<Plan, { kind: Kind }>;

/** The one span that has the order of the first property and all matching users. Several values of that property have several. */
function orderedSpan({ ordered }: Counts) {
  const [only, ...others] = ordered?.spans ?? [];
  return ordered && only && others.length === 0 ? { ...ordered, ...only } : undefined;
}

/** Plans of some kinds are weighed by so much more than they cost, for tests. */
export type Risks = Readonly<Partial<Record<string, number>>>;

/** What a plan depends on in its query. */
type Page = Pick<Query, 'order' | 'skip' | 'take'>;

/** Ranks take two nodes of statistics, one after the other, at a unit each. */
const ROUNDS_FOR_RANKS = 2;

/** About what it takes to put the runs of equal values at both ends of a page into the rest of the order. */
const roundsForRuns = ({ order }: Page): number => (hasOwnOrder(order) ? 0 : 3);

/** What one group costs: a value has many users, and its page is found by ranks; a last name has few. */
const VALUE: Cost = { units: 2, rounds: 2, calls: 2 };
const NAME: Cost = { units: UNITS_PER_QUERY, rounds: 1, calls: 1 };

/** Whole segments are read: half of the one at each end of a page is not needed. */
const SPREAD = 100;

/**
 * About how many entries of names a read unit covers, and how many users have the same name, among the people of the benchmark. Where few
 * names are common, to read them costs less than estimated, and a walk is chosen too often; where all names differ, three times as much.
 */
const NAMES_PER_UNIT = 160;
const USERS_PER_NAME = 3;

/** The groups that a page has users of. */
export function groupsWithin<G extends Group>(groups: readonly G[], skip: number, take: number) {
  const parts: { group: G; skip: number; take: number }[] = [];
  let position = 0;
  for (const group of groups) {
    const [first, last] = [Math.max(skip - position, 0), Math.min(skip + take - position, group.total)];
    if (first < last) parts.push({ group, skip: first, take: last - first });
    position += group.total;
  }
  return parts;
}

/** A walk to the first page may cost twice its estimate, by chance. The more users must match, the less it differs. */
const doubtOf = ({ skip, take }: Page): number => 1 + Math.sqrt(20 / (skip + take));

const weightAtRisk = (plan: Plan, risks: Risks): number =>
  weightOf(plan.cost) * (plan.kind === 'walk' ? plan.doubt : 1) * (risks[plan.kind] ?? 1);

const cheapest = (plans: readonly Plan[], risks: Risks): Plan | undefined =>
  plans.reduce<Plan | undefined>(
    (best, plan) => (best && weightAtRisk(best, risks) <= weightAtRisk(plan, risks) ? best : plan),
    undefined,
  );

export const gatherOf = (spans: readonly Sized[]): PlanOf<'gather'> => ({
  kind: 'gather',
  spans,
  cost: costOfAll(spans),
});

function groupsOf({ skip, take }: Page, groups: readonly Group[], areNames = false): PlanOf<'groups'> {
  const cost = timesCost(areNames ? NAME : VALUE, groupsWithin(groups, skip, take).length);
  return { kind: 'groups', groups, cost };
}

/** A slice of a list with exactly the matching users, or of one whose segments count them: then users between them are read, too. */
function sliceOf(page: Page, counts: Counts, otherwise: Plan | undefined): Plan[] {
  const list = orderedSpan(counts);
  const isExact = list?.fit === 'exact';
  if (!list || list.fit === 'wider' || !(isExact || otherwise)) return [];
  const { span, users, remaining } = list;
  const spread = isExact ? page.take : (page.take * users) / Math.max(1, counts.matching) + SPREAD;
  const more = (isExact ? 0 : ROUNDS_FOR_RANKS) + roundsForRuns(page);
  const cost = withRounds(costOf(span, Math.min(spread, users)), more);
  return [{ kind: 'slice', span, remaining, cost, otherwise: isExact ? undefined : otherwise }];
}

/** How many of the users of a list come before the end of a page, if the matching users are spread evenly among them. */
const usersTo = ({ skip, take }: Page, matching: number, users: number): number =>
  Math.ceil(Math.min(1, (skip + take) / Math.max(1, matching)) * users);

/** A walk to a page, if the matching users are spread evenly. */
function walkOf(page: Page, counts: Counts, otherwise: Plan): Plan[] {
  const list = orderedSpan(counts);
  if (!list || list.fit === 'exact' || counts.areNames) return [];
  const { span } = list;
  const users = usersTo(page, counts.matching, list.users);
  const cost = withRounds(costOf(span, users), roundsForRuns(page));
  return [{ kind: 'walk', span, users, cost, doubt: doubtOf(page), otherwise }];
}

/**
 * Whether to read the names with a keyword that is so short that most names may contain it. It costs about as much as to read the
 * names, and then the users of each, or in the order of names those of the page. The other way is to walk.
 */
export function isWorthNames(page: Page, counts: Counts, risks: Risks): boolean {
  const { matching } = counts;
  const list = orderedSpan(counts);
  if (!list) return true;
  const users = page.order[0].property === 'lastName' ? Math.min(page.take, matching) : matching;
  const names = Math.ceil(users / USERS_PER_NAME);
  const { units, rounds, calls } = timesCost(NAME, names);
  const cost = { units: matching / NAMES_PER_UNIT + units, rounds: 2 + rounds, calls: 2 + calls };
  const walk = costOf(list.span, usersTo(page, matching, list.users));
  return weightOf(cost) <= weightOf(walk) * doubtOf(page) * (risks.walk ?? 1);
}

/** Nothing matches. */
const NOTHING: Plan = gatherOf([]);

/** The cheapest plan. It is a value: nothing is read, and the only later decision is whether a walk has cost too much. */
export function choose(page: Page, counts: Counts, risks: Risks): Plan {
  const { smallest, groups, areNames } = counts;
  const whole = [...(smallest ? [gatherOf(smallest)] : []), ...(groups ? [groupsOf(page, groups, areNames)] : [])];
  const otherwise = cheapest(whole, risks);
  const best = cheapest([...whole, ...sliceOf(page, counts, otherwise)], risks) ?? NOTHING;
  return cheapest([best, ...walkOf(page, counts, best)], risks) ?? best;
}

/** Whether all users are sorted in memory: they are far fewer than those of the list in their order, which a stream would read. */
export function isWorthSorting({ smallest, ordered }: Counts, budgetUnits: number): boolean {
  if (!smallest) return false;
  const cost = costOfAll(smallest);
  const list = ordered?.spans[0];
  if (cost.units > budgetUnits) return false;
  return !list || 2 * weightOf(cost) <= weightOf(costOf(list.span, usersOf(ordered.spans)));
}

/** Describes a plan for people: the lists, and how they are read. */
export function describePlan(plan: Plan): string {
  if (plan.kind === 'groups') return 'by value';
  if (plan.kind === 'gather') return `gather ${plan.spans[0] ? nameOf(plan.spans[0].span) : 'nothing'}`;
  return `${plan.kind} ${nameOf(plan.span)}`;
}
