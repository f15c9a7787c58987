import type { Criteria } from './criteria.ts';
import type { SortKey } from './order.ts';

/** A part of the matching users, in an order. */
export interface UserQuery {
  criteria: Criteria;
  /** A total order. */
  order: readonly [SortKey, ...SortKey[]];
  /** How many users to leave out first, and how many to return after that. */
  skip: number;
  take: number;
  /** How many match, if that is known. */
  total?: number | undefined;
}

/** Whether a list in the order of a property has the whole order: then no runs of equal values must be sorted. */
export function hasOwnOrder([lead, next, ...more]: UserQuery['order']): boolean {
  if (lead.property === 'id' || !next) return true;
  return more.length === 0 && next.property === 'id' && next.direction === lead.direction;
}
