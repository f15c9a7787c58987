import type { NameCounts } from '../counts/names.ts';
import type { Wanted } from '../counts/segments.ts';
import { encodeOptional } from '../keys.ts';
import { type List, rangeOfText, valuesOf } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import { candidatesOf, type UserQuery, withText } from './criteria.ts';
import { inDirection } from './order.ts';
import type { Facts, Sized } from './plan.ts';

/**
 * The parts of a list by last name that have some names, which are in order and contain a keyword. All names that begin like one of
 * them up to the end of the keyword contain it, too: neighbours of that kind are one range.
 */
function spansOfNames(list: List, names: readonly string[], counts: NameCounts, keyword: string): Sized[] {
  const values = Object.entries(valuesOf(list)).map(([field, value]) => [field, [value]]);
  const sizes = counts.byName(Object.fromEntries(values) as Wanted);
  const spans: Sized[] = [];
  let start: string | undefined;
  for (const name of names) {
    const { from, to } = rangeOfText(encodeOptional(name));
    const users = sizes.get(name) ?? 0;
    const last = start === undefined || !name.startsWith(start) ? undefined : spans.at(-1);
    if (last) spans[spans.length - 1] = { span: { ...last.span, to }, users: last.users + users };
    else spans.push({ span: { list, from, to }, users });
    start = name.slice(0, name.indexOf(keyword) + keyword.length);
  }
  return spans;
}

/** The lists of last names that have all users with wanted values. */
const listsByName = ({ criteria: { values } }: UserQuery): List[] =>
  candidatesOf({ values, ranges: {} })
    .find(({ index }) => index.order === 'lastName')
    ?.spans.map(({ list }) => list) ?? [];

/** What the names with a keyword tell. */
export function factsOfNames(
  query: UserQuery,
  counts: NameCounts,
  keyword: string,
): Pick<Facts, 'smallest' | 'groups'> {
  const { criteria, order } = query;
  const [lead] = order;
  const lists = listsByName(query);
  const sorted = [...counts.byName(criteria.values)].sort(([a], [b]) => compareCodePoints(a, b));
  const names = sorted.map(([name]) => name);
  const smallest = lists.flatMap((list) => spansOfNames(list, names, counts, keyword));
  if (lead.property !== 'lastName' || lists.length > 1 || Object.keys(criteria.ranges).length > 0) return { smallest };
  const groups = inDirection(sorted, lead).map(([name, total]) => {
    const { keyword: _, ...rest } = withText(criteria, 'lastName', encodeOptional(name));
    return { total, criteria: rest };
  });
  return { smallest, groups };
}
