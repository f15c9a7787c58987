import { isExactField } from '../fields.ts';
import { textOf } from '../lists.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { type Criteria, orderOf } from './criteria.ts';
import { type Order, type SortKey, totalOrder } from './order.ts';

/** A part of the users who meet some criteria, in an order. */
export interface Query {
  criteria: Criteria;
  /** The parts of lists that have all these users, the smallest first. */
  candidates: readonly Candidate[];
  /** Only what can order these users. */
  order: Order;
  /** How many users to leave out first, and how many to return after that. */
  skip: number;
  take: number;
  /** How many users meet the criteria, if that is known. */
  total?: number | undefined;
}

/** Whether all matching users have the same sort text in a property. */
function isFixed({ wanted, ranges }: Criteria, { property }: SortKey): boolean {
  const order = orderOf(property);
  if (order === 'id') return false;
  const range = ranges[order];
  return (isExactField(property) && wanted[property]?.length === 1) || (range && textOf(range)) !== undefined;
}

/** A query for all users who meet some criteria, or for a part of them. */
export const queryOf = (criteria: Criteria, order: readonly SortKey[], part: Partial<Query> = {}): Query => ({
  skip: 0,
  take: Number.POSITIVE_INFINITY,
  ...part,
  criteria,
  candidates: candidatesOf(criteria),
  order: totalOrder(order.filter((key) => !isFixed(criteria, key))),
});
