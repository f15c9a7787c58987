import type { ExactField } from '../../lib/users/fields.ts';
import { USERS_INDEXES, type UsersIndex } from '../../lib/users/indexes.ts';
import { encodeOptional } from '../../lib/users/keys.ts';
import { type List, listOf } from '../../lib/users/lists.ts';

/** The list in an order of all users, or of those with some values. */
export function listBy(order: UsersIndex['order'], values: Partial<Record<ExactField, string>> = {}): List {
  const fields = Object.keys(values);
  const index = USERS_INDEXES.find(({ filters, ...each }) => filters.join() === fields.join() && each.order === order);
  if (!index) throw new Error(`There is no index by ${[...fields, order].join(' and ')}`);
  return listOf(
    index,
    Object.fromEntries(Object.entries(values).map(([field, value]) => [field, encodeOptional(value)])),
  );
}
