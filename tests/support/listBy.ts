import { USERS_INDEXES, type UsersIndex } from '../../lib/users/indexes.ts';
import { type List, listOf } from '../../lib/users/lists.ts';

/** The list of all users in an order. */
export function listBy(order: UsersIndex['order']): List {
  const index = USERS_INDEXES.find(({ filters, ...each }) => filters.length === 0 && each.order === order);
  if (!index) throw new Error(`There is no index by ${order}`);
  return listOf(index, {});
}
