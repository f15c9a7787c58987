import type { ExactField, SortProperty } from '../fields.ts';
import { type List, nameOf } from '../lists.ts';
import type { Criteria } from './criteria.ts';
import type { Direction, Order } from './order.ts';

/** Users in order, from one of them on. */
export interface UserQuery {
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

/** Enough to hide the round trips of many short lists. */
export const PARALLEL_READS = 8;

/** What a Query costs that reads so many entries. */
export const unitsOf = (entries: number): number => Math.max(UNITS_PER_QUERY, entries / ENTRIES_PER_UNIT);

/** One line for people: what is read, and how. */
export function describe(plan: Plan): string {
  if (plan.kind === 'groups') return `by ${plan.property}`;
  if (plan.kind === 'split') return `split by ${plan.field}`;
  if (plan.kind === 'gather') return `gather ${plan.lists[0] ? nameOf(plan.lists[0]) : 'nothing'}`;
  return `${plan.isExact ? 'seek' : 'walk'} ${nameOf(plan.list)}`;
}
