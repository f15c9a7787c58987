import { isExactField } from '../fields.ts';
import type { EncodedFilters } from '../keys.ts';
import { type Criteria, isExact, isListed, listsById } from './criteria.ts';
import type { Order } from './order.ts';
import { sizeOf } from './rank.ts';
import type { View } from './view.ts';

/** How many users have some values. If they are read group by group, the counts of these are read anyway, and are added up. */
async function countValues(view: View, values: EncodedFilters, [{ property }]: Order): Promise<number> {
  const isGrouped =
    isExactField(property) && values[property] === undefined && !isListed({ values, texts: {} }, property);
  if (!isGrouped) return view.total(values);
  return (await view.values(property, values)).reduce((sum, { total }) => sum + total, 0);
}

/** How many users match. Undefined if no statistics count them. */
export async function countOf(
  view: View,
  { values, texts, keyword, ...criteria }: Criteria,
  order: Order,
): Promise<number | undefined> {
  const hasTexts = Object.keys(texts).length > 0;
  if (keyword !== undefined) {
    if (hasTexts) return undefined;
    return (await view.keyword(keyword)).total(values);
  }
  if (!hasTexts) return countValues(view, values, order);
  const list = listsById({ values, texts, ...criteria }).find((each) => isExact({ values, texts }, each));
  return list && sizeOf(view, list);
}
