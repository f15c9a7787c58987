import { encodeOptional } from '../keys.ts';
import type { List } from '../lists.ts';
import { type Criteria, isExact, listInOrder, listsById } from './criteria.ts';
import { type Gather, unitsOf } from './plans.ts';
import { sizeOf } from './rank.ts';
import type { View } from './view.ts';

/** A plan to read the users of every name that contains the keyword. */
async function gatherNames(view: View, criteria: Criteria, keyword: string): Promise<Gather> {
  const names = await view.lastNames(keyword);
  const list = listInOrder(criteria, 'lastName');
  if (!list) throw new Error('There must be a list of all users by last name');
  const values = Object.fromEntries(list.index.filters.map((field) => [field, criteria.values[field]]));
  const sizes = names.byName(values);
  const wanted = names.byName(criteria.values);
  let estimate = 0;
  const lists: List[] = [];
  for (const name of wanted.keys()) {
    const text = encodeOptional(name);
    estimate += unitsOf(list, sizes.get(name) ?? 0);
    lists.push({ ...list, text });
  }
  return { kind: 'gather', lists, estimate };
}

/** A plan to read the smallest lists that have all matching users. */
export async function gatherOf(view: View, criteria: Criteria, matching: number | undefined): Promise<Gather> {
  if (criteria.keyword !== undefined) return gatherNames(view, criteria, criteria.keyword);
  const [list] = listsById(criteria);
  if (!list) throw new Error('There must be a list of all users by id');
  const isKnown = matching !== undefined && isExact(criteria, list);
  const size = isKnown ? matching : await sizeOf(view, list);
  return { kind: 'gather', lists: [list], estimate: unitsOf(list, size) };
}
