import type { Order } from '../columns/index.ts';
import type { SortProperty } from './fields.ts';
import { TIES } from './ids.ts';

export type Direction = 'asc' | 'desc';

export interface SortKey {
  property: SortProperty;
  direction: Direction;
}

/** The moment of creation is a part of the id. */
const stepOf = ({ property, direction }: SortKey): Order[number] => ({
  ...(property === 'createdAt' ? { property: 'id', per: TIES } : { property }),
  descending: direction === 'desc',
});

/**
 * The total order of some keys: keeps the first mention of each property, drops keys after the id, and adds the id if it is missing, in the
 * direction of the last property: so a descending list is the list backwards.
 */
export function totalOrder(keys: readonly SortKey[]): Order {
  const distinct = keys.filter(({ property }, i) => keys.findIndex((key) => key.property === property) === i);
  const end = distinct.findIndex(({ property }) => property === 'id');
  if (end >= 0) return distinct.slice(0, end + 1).map(stepOf);
  return [...distinct, { property: 'id', direction: distinct.at(-1)?.direction ?? 'asc' } as const].map(stepOf);
}
