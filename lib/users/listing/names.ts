/** What the last names with a keyword tell of a query. */
import type { NameCounts } from '../counts/names.ts';
import { encodeOptional } from '../keys.ts';
import { type List, rangeOfText, valuesOf } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import { candidatesOf } from './candidates.ts';
import type { Sized } from './cost.ts';
import { type Criteria, withText } from './criteria.ts';
import { type Direction, inDirection } from './order.ts';
import type { Group } from './plan.ts';

const sortedNames = ({ wanted }: Criteria, names: NameCounts): [name: string, users: number][] =>
  [...names.byName(wanted)].sort(([a], [b]) => compareCodePoints(a, b));

/**
 * The parts of a list by last name that have some names, which are in order and contain a keyword. All names that begin like one of
 * them up to the end of the keyword contain it, too: neighbours of that kind are one range.
 */
function spansIn(list: List, names: readonly string[], counts: NameCounts, keyword: string): Sized[] {
  const values = Object.entries(valuesOf(list)).map(([field, value]) => [field, [value]]);
  const users = counts.byName(Object.fromEntries(values));
  const spans: Sized[] = [];
  let start: string | undefined;
  for (const name of names) {
    const { from, to } = rangeOfText(encodeOptional(name));
    const own = users.get(name) ?? 0;
    const last = start === undefined || !name.startsWith(start) ? undefined : spans.at(-1);
    if (last) spans[spans.length - 1] = { span: { ...last.span, to }, users: last.users + own };
    else spans.push({ span: { list, from, to }, users: own });
    start = name.slice(0, name.indexOf(keyword) + keyword.length);
  }
  return spans;
}

/** The parts of lists that have all users with a keyword and wanted values. */
export function spansOfNames(criteria: Criteria, counts: NameCounts, keyword: string): Sized[] {
  const names = sortedNames(criteria, counts).map(([name]) => name);
  const byName = candidatesOf({ wanted: criteria.wanted, ranges: {} }).find(({ index }) => index.order === 'lastName');
  return byName?.spans.flatMap(({ list }) => spansIn(list, names, counts, keyword)) ?? [];
}

/** The users of each name. */
export const groupsOfNames = (
  { keyword: _, ...criteria }: Criteria,
  counts: NameCounts,
  direction: Direction,
): Group[] =>
  inDirection(sortedNames(criteria, counts), direction).map(([name, total]) => ({
    criteria: withText(criteria, 'lastName', encodeOptional(name)),
    total,
  }));
