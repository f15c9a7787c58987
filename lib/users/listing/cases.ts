import { EXACT_FIELDS, type ExactField } from '../fields.ts';
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

/** The same users, if all that have the sort text of a value in a field have this value. */
export function withValue(criteria: Criteria, field: ExactField, value: string | undefined): Criteria {
  const { [field]: _, ...texts } = criteria.texts;
  return { ...criteria, texts, values: { ...criteria.values, [field]: encodeOptional(value) } };
}

/**
 * An order ignores case, a filter by an exact field does not. If all users with one sort text in such a field have one value, as
 * most have, that value takes the place of the text. They are neighbours in the order of the field, so its two ends tell.
 */
export async function inOneCase(view: View, criteria: Criteria): Promise<Criteria> {
  const field = EXACT_FIELDS.find((each) => criteria.texts[each] !== undefined);
  const list = field && listInOrder(criteria, field);
  if (!list) return criteria;
  const text = criteria.texts[field] ?? '';
  const [first, last] = await Promise.all([endOfRun(view, list, text, 'asc'), endOfRun(view, list, text, 'desc')]);
  return first && last && first[field] === last[field] ? withValue(criteria, field, first[field]) : criteria;
}
