import { EXACT_FIELDS } from '../fields.ts';
import { encodeOptional } from '../keys.ts';
import { type List, runEnd, runStart } from '../lists.ts';
import { type Criteria, listInOrder } from './criteria.ts';
import type { Direction } from './order.ts';
import { scan } from './scan.ts';
import { takeFrom } from './streams.ts';
import type { View } from './view.ts';

async function endOfRun(view: View, list: List, text: string, direction: Direction) {
  const [start, end] = [runStart(list, text), runEnd(list, text)];
  const [from, to] = direction === 'asc' ? [start, end] : [end, start];
  const [user] = await takeFrom(scan(view, list, { direction, from, to, expected: 1 }), 1);
  return user;
}

/**
 * An order ignores case, a filter by an exact field does not. If all users with one sort text in such a field have one value, as
 * most have, that value takes the place of the text. They are neighbours in the order of the field, so its two ends tell.
 */
export async function inOneCase(view: View, criteria: Criteria): Promise<Criteria> {
  const field = EXACT_FIELDS.find((each) => criteria.texts[each] !== undefined);
  const list = field && listInOrder(criteria, field);
  if (!list) return criteria;
  const { [field]: text = '', ...texts } = criteria.texts;
  const [first, last] = await Promise.all([endOfRun(view, list, text, 'asc'), endOfRun(view, list, text, 'desc')]);
  const value = encodeOptional(first?.[field]);
  if (!first || !last || value !== encodeOptional(last[field])) return criteria;
  return { ...criteria, texts, values: { ...criteria.values, [field]: value } };
}
