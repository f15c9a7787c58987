import type { ExactField } from '../fields.ts';
import { encodeOptional, foldEncoded } from '../keys.ts';
import { compareCodePoints } from '../text.ts';
import { type Criteria, isExact, listsById } from './criteria.ts';
import { totalOrder } from './order.ts';
import { type Gather, type Group, type Groups, UNITS_PER_QUERY, type UserQuery, unitsOf } from './plans.ts';
import type { View } from './view.ts';

/** Whether counts that regard values and keyword are those of the matching users. */
const isCounted = ({ texts, after }: Criteria): boolean => Object.keys(texts).length === 0 && after === undefined;

/** One group per folded value, in the order of these. Values that differ only in case share a group. */
function groupsOf(
  property: ExactField,
  criteria: Criteria,
  totals: ReadonlyMap<string, number>,
  areCounted: boolean,
): Group[] {
  const groups = new Map<string, { variants: Criteria[]; total: number }>();
  for (const [value, total] of totals) {
    const text = foldEncoded(value);
    const group = groups.get(text) ?? { variants: [], total: 0 };
    groups.set(text, group);
    group.variants.push({ ...criteria, values: { ...criteria.values, [property]: value } });
    group.total += total;
  }
  return [...groups]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([, { variants, total }]) => (areCounted ? { variants, total } : { variants }));
}

/** For few users: reading all of them costs no more than a Query for each of several groups. */
export function gatherFew({ database }: View, { criteria, total }: UserQuery): Gather | undefined {
  const list = listsById(criteria).find((each) => isExact(criteria, each));
  if (!list || total === undefined || total > database.sizes.nearUsers) return undefined;
  return { kind: 'gather', lists: [list], estimate: unitsOf(list, total) };
}

/** For users who have one sort text in a field: the values that differ only in case. */
export async function groupByCase(view: View, property: ExactField, { criteria, order }: UserQuery): Promise<Groups> {
  const { [property]: text = '', ...texts } = criteria.texts;
  const values = await view.values(property, criteria.values, text);
  const totals = new Map(values.map(({ value, total }) => [value, total]));
  const others = { ...criteria, texts };
  const groups = groupsOf(property, others, totals, isCounted(others) && others.keyword === undefined);
  return { kind: 'groups', property, groups, rest: order, estimate: UNITS_PER_QUERY };
}

export async function groupByValue(view: View, property: ExactField, { criteria, order }: UserQuery): Promise<Groups> {
  const { keyword, values } = criteria;
  const totals =
    keyword === undefined
      ? new Map((await view.values(property, values)).map(({ value, total }) => [value, total]))
      : (await view.keyword(keyword)).byValue(property, values);
  const groups = groupsOf(property, criteria, totals, isCounted(criteria));
  const [lead, ...rest] = order;
  return {
    kind: 'groups',
    property,
    groups: lead.direction === 'asc' ? groups : groups.reverse(),
    rest: totalOrder(rest),
    estimate: UNITS_PER_QUERY,
  };
}

/** For an order by last name, with a keyword: one name after another. */
export async function groupByName(
  view: View,
  keyword: string,
  { criteria, order, skip, take }: UserQuery,
): Promise<Groups> {
  const names = (await view.lastNames(keyword)).byName(criteria.values);
  const [lead, ...rest] = order;
  const sign = lead.direction === 'asc' ? 1 : -1;
  const { keyword: _, ...others } = criteria;
  const groups = [...names]
    .sort(([a], [b]) => sign * compareCodePoints(a, b))
    .map(([name, total]) => ({
      variants: [{ ...others, texts: { ...criteria.texts, lastName: encodeOptional(name) } }],
      total,
    }));
  let [read, users] = [0, 0];
  for (const { total } of groups) {
    if (users >= skip + take) break;
    users += total;
    if (users > skip) read++;
  }
  // The counts do not tell how many users have certain texts.
  const isCounted = Object.keys(criteria.texts).length === 0;
  return {
    kind: 'groups',
    property: 'lastName',
    groups: isCounted ? groups : groups.map(({ variants }) => ({ variants })),
    rest: totalOrder(rest),
    estimate: read * UNITS_PER_QUERY,
  };
}
