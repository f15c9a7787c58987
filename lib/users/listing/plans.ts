import type { SortProperty } from '../fields.ts';
import { type List, nameOf } from '../lists.ts';
import type { Criteria } from './criteria.ts';
import type { Direction, Order } from './order.ts';

/** A slice of the matching users, in an order. */
export interface UserQuery {
  criteria: Criteria;
  order: Order;
  /** How many users to leave out first. */
  skip: number;
  /** How many users to return after that. May be Infinity. */
  take: number;
  /** How many match, if that is known. */
  total?: number | undefined;
}

/** Follow a list and drop users that do not match. */
export interface Walk {
  kind: 'walk';
  list: List;
  direction: Direction;
  /** The runs of equal values of this property must be put into the order `rest`. Absent if the list has the order. */
  runs?: { property: SortProperty; rest: Order };
  /** All users of the list match, so a walk may begin at any rank. */
  isExact: boolean;
  /** The expected read units. */
  estimate: number;
  /** The plan to change to when the walk costs too much. */
  fallback?: Gather | Names;
}

export type Runs = NonNullable<Walk['runs']>;

/** Read whole lists, and sort the matching users in memory. */
export interface Gather {
  kind: 'gather';
  lists: readonly List[];
  estimate: number;
}

/** Read the last names that contain the keyword, and go from name to name. */
export interface Names {
  kind: 'names';
  keyword: string;
  estimate: number;
}

/** Read one group of equal values of the first property of the order after another. */
export interface Groups {
  kind: 'groups';
  property: SortProperty;
  groups: readonly Group[];
  rest: Order;
  estimate: number;
}

export interface Group {
  /** One for each value; they differ only in case. */
  variants: readonly Criteria[];
  /** The number of its users, if known. */
  total?: number;
}

export type Plan = Walk | Gather | Groups;

/** An eventually consistent read unit covers 8 KB. Entries of usual users have 110 to 160 bytes, by the length of their keys. */
export const entriesPerUnit = ({ index }: List): number => (index.order === 'id' ? 76 : 58);
export const UNITS_PER_QUERY = 0.5;

/** Enough to hide the latency of many short reads. */
export const PARALLEL_READS = 8;

/** The cost of a Query that reads this number of entries of a list. */
export const unitsOf = (list: List, entries: number): number =>
  Math.max(UNITS_PER_QUERY, entries / entriesPerUnit(list));

/** Describes a plan for people: the lists, and how they are read. */
export function describePlan(plan: Plan): string {
  if (plan.kind === 'groups') return `by ${plan.property}`;
  if (plan.kind === 'gather') return `gather ${plan.lists[0] ? nameOf(plan.lists[0]) : 'nothing'}`;
  return `${plan.isExact ? 'seek' : 'walk'} ${nameOf(plan.list)}`;
}
