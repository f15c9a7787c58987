/**
 * A plan says how the users of a query are read. It is chosen from counts, by units and calls, before users are read.
 *
 * - `slice`: a list has the order, and its segments count the users: ranks tell where the page is.
 * - `walk`: a list has the order, and other users, too, who are dropped. It begins at an end of the list. Its cost is known only
 *   afterwards, so it has a limit, and another plan to go over to.
 * - `gather`: the smallest parts of lists that have all users are read whole, and sorted.
 * - `groups`: counts tell how many users each value, or each last name, of the first property has. Each is a query of its own.
 */
import { nameOf, type Span } from '../lists.ts';
import type { Candidate, Criteria } from './criteria.ts';

/** A call takes about as long as two read units more: a millisecond of processor time, and a round trip. */
const UNITS_PER_CALL = 2;

export const UNITS_PER_QUERY = 0.5;

/** An eventually consistent read unit covers 8 KB. Entries of usual users have 110 to 160 bytes, by the length of their keys. */
const ENTRIES_PER_UNIT = { byId: 76, byKey: 58 };

/** A Query returns at most a megabyte. */
export const UNITS_PER_MEGABYTE = 128;

export const entriesPerUnit = ({ list: { index } }: Span): number =>
  index.order === 'id' ? ENTRIES_PER_UNIT.byId : ENTRIES_PER_UNIT.byKey;

export interface Cost {
  units: number;
  calls: number;
}

export const weigh = ({ units, calls }: Cost): number => units + UNITS_PER_CALL * calls;

/** What it costs to read this many users of a list in one query. */
export function costOf(span: Span | undefined, users: number): Cost {
  const units = Math.max(UNITS_PER_QUERY, span ? users / entriesPerUnit(span) : 0);
  return { units, calls: Math.ceil(units / UNITS_PER_MEGABYTE) };
}

export const sumOfCosts = (costs: readonly Cost[]): Cost =>
  costs.reduce((sum, { units, calls }) => ({ units: sum.units + units, calls: sum.calls + calls }), {
    units: 0,
    calls: 0,
  });

/** A span to read, and about how many users it has. */
export interface Sized {
  span: Span;
  users: number;
}

/** The users with one sort text in the first property. */
export interface Group {
  criteria: Criteria;
  total: number;
}

/** What is known of a query before users are read. */
export interface Facts {
  /** Users to leave out, and to return after that. */
  skip: number;
  take: number;
  /** How many match, or about how many. */
  matching: number;
  /** Users with equal values in the first property must be put into the rest of the order. */
  hasRuns: boolean;
  /** Parts of lists that have the order of the first property and all matching users, and how many users they have. */
  inOrder: { candidate: Candidate; users: number } | undefined;
  /** Whether the segments of that list count what its users must meet. */
  isCounted: boolean;
  /** The smallest spans that have all matching users. */
  smallest?: readonly Sized[] | undefined;
  /** In order, if the counts tell. */
  groups?: readonly Group[] | undefined;
  /** The groups are last names with a keyword: these are not spread evenly in the order of names. */
  areNames?: boolean;
}

export type Plan =
  | { kind: 'slice'; span: Span; cost: Cost; otherwise: Plan | undefined }
  | { kind: 'walk'; span: Span; users: number; cost: Cost; otherwise: Plan }
  | { kind: 'gather'; spans: readonly Span[]; cost: Cost }
  | { kind: 'groups'; groups: readonly Group[]; cost: Cost };

export type PlanOf<Kind extends Plan['kind']> = Extract<Plan, { kind: Kind }>;

/** What two nodes of statistics cost, one after the other. */
const SELECT: Cost = { units: 2, calls: 2 };

const costOfAll = (spans: readonly Sized[]): Cost => sumOfCosts(spans.map(({ span, users }) => costOf(span, users)));

/** About how many entries of names a read unit covers, and how many users have the same name. */
const NAMES_PER_UNIT = 160;
const USERS_PER_NAME = 3;

/**
 * Whether to read the names with a keyword that is so short that most names may contain it. It costs about as much as to read the
 * names, and then the users of each, or in the order of names those of the page. The other way is to walk.
 */
export function isWorthNames(found: number, byName: boolean, { skip, take, inOrder }: Facts, risks: Risks): boolean {
  const names = Math.ceil((byName ? Math.min(take, found) : found) / USERS_PER_NAME);
  const cost = { units: found / NAMES_PER_UNIT + names * UNITS_PER_QUERY, calls: 2 + names };
  const [span, ...others] = inOrder?.candidate.spans ?? [];
  if (!inOrder || !span || others.length > 0) return true;
  const walk = costOf(span, Math.min(1, (skip + take) / Math.max(1, found)) * inOrder.users);
  return weigh(cost) <= weigh(walk) * (risks.walk ?? 1);
}

/** Whether some spans are cheaper to read whole than others. */
export const isCheaper = (some: readonly Sized[], others: readonly Sized[]): boolean =>
  weigh(costOfAll(some)) <= weigh(costOfAll(others));

/** How much dearer than its estimate a plan of some kind may be. */
export type Risks = Readonly<Partial<Record<string, number>>>;

const cheapest = (plans: readonly Plan[], risks: Risks): Plan | undefined => {
  const weightOf = ({ kind, cost }: Plan) => weigh(cost) * (risks[kind] ?? 1);
  return plans.reduce<Plan | undefined>(
    (best, plan) => (best && weightOf(best) <= weightOf(plan) ? best : plan),
    undefined,
  );
};

export const gatherOf = (smallest: readonly Sized[]) => ({
  kind: 'gather' as const,
  spans: smallest.map(({ span }) => span),
  cost: costOfAll(smallest),
});

/** What one group costs, which is a query of its own: a value has many users, and a last name few. */
const GROUP: Cost = { units: 2, calls: 2 };
const NAME: Cost = { units: UNITS_PER_QUERY, calls: 1 };

/** What it costs to put the runs at both ends of a page into order. */
const RUNS: Cost = { units: 3, calls: 3 };

const timesCost = ({ units, calls }: Cost, times: number): Cost => ({ units: units * times, calls: calls * times });

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

/** The plans whose costs are known. */
function certainPlans(facts: Facts, risks: Risks): Plan[] {
  const { skip, take, matching, inOrder, isCounted, smallest, groups, areNames, hasRuns } = facts;
  const [span, ...others] = inOrder?.candidate.spans ?? [];
  const plans: Plan[] = [];
  if (inOrder?.candidate.isExact && span && others.length === 0) {
    const cost = costOf(span, Math.min(take, inOrder.users));
    plans.push({ kind: 'slice', span, otherwise: undefined, cost: hasRuns ? sumOfCosts([cost, RUNS]) : cost });
  }
  if (smallest) plans.push(gatherOf(smallest));
  if (groups) {
    const cost = timesCost(areNames ? NAME : GROUP, groupsWithin(groups, skip, take).length);
    plans.push({ kind: 'groups', groups, cost });
  }
  const otherwise = cheapest(plans, risks);
  if (isCounted && inOrder && span && others.length === 0 && otherwise) {
    const users = (take * inOrder.users) / Math.max(1, matching) + SPREAD;
    const cost = sumOfCosts([costOf(span, Math.min(users, inOrder.users)), SELECT, ...(hasRuns ? [RUNS] : [])]);
    plans.push({ kind: 'slice', span, otherwise, cost });
  }
  return plans;
}

/** Whole segments are read: about this many users more than the page spans. */
const SPREAD = 100;

/** Nothing matches. */
const NOTHING: Plan = { kind: 'gather', spans: [], cost: { units: 0, calls: 0 } };

/** The cheapest plan. It is a value: nothing is read, and the only later decision is whether a walk has cost too much. */
export function choose(facts: Facts, risks: Risks): Plan {
  const { skip, take, matching, inOrder, hasRuns } = facts;
  const best = cheapest(certainPlans(facts, risks), risks) ?? NOTHING;
  const [span, ...others] = inOrder?.candidate.spans ?? [];
  if (!inOrder || !span || others.length > 0 || inOrder.candidate.isExact || facts.areNames) return best;
  const users = Math.ceil(Math.min(1, (skip + take) / Math.max(1, matching)) * inOrder.users);
  const { units, calls } = costOf(span, users);
  // The last run of equal values may be longer than the page.
  const cost = hasRuns ? { units: 2 * units, calls } : { units, calls };
  return cheapest([best, { kind: 'walk', span, users, cost, otherwise: best }], risks) ?? best;
}

/** What to do where users can be counted only by reading them. */
export function adviceFor({ ranges, values, keyword }: Criteria): string {
  const properties = [
    ...Object.keys(ranges).map((order) => (order === 'id' ? 'createdAt' : order)),
    ...Object.keys(values),
  ];
  const filters = [...properties, ...(keyword === undefined ? [] : ['keyword'])];
  return `to count who matches, narrow one of the filters by ${filters.join(', ')}`;
}

/** Describes a plan for people: the lists, and how they are read. */
export function describePlan(plan: Plan): string {
  if (plan.kind === 'groups') return 'by value';
  if (plan.kind === 'gather') return `gather ${plan.spans[0] ? nameOf(plan.spans[0]) : 'nothing'}`;
  return `${plan.kind} ${nameOf(plan.span)}`;
}
