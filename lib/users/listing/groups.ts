import { foldMark, mark } from '../keys.ts';
import type { Cell } from '../statistics/cells.ts';
import { compareCodePoints } from '../text.ts';
import { type Direction, totalOrder } from './order.ts';
import type { AccessPath, Proposal } from './plan.ts';
import { allowedCells, countAllowed, type FilterProperty, type Restriction } from './restriction.ts';

/** The users of a listing that have the same value of a property. */
interface Group {
  text: string;
  restriction: Restriction;
  users: number;
}

/** A status or country with its variants in case, which are equal in the order. */
export function groupsOfMarks(property: FilterProperty, restriction: Restriction, cells: readonly Cell[]): Group[] {
  const groups = new Map<string, { values: Set<string>; users: number }>();
  for (const { [property]: value, users } of allowedCells(restriction, cells)) {
    const text = foldMark(value);
    const group = groups.get(text) ?? { values: new Set(), users: 0 };
    groups.set(text, group);
    group.values.add(value);
    group.users += users;
  }
  return [...groups].map(([text, { values, users }]) => ({
    text,
    restriction: { ...restriction, [property]: [...values] },
    users,
  }));
}

function groupsOfLastNames(restriction: Restriction, cells: readonly Cell[]): Group[] {
  return (restriction.lastNames ?? []).map((lastName) => {
    const narrowed = { ...restriction, lastNames: [lastName] };
    return { text: mark(lastName.name), restriction: narrowed, users: countAllowed(narrowed, cells) };
  });
}

/** The groups that are counted, so that they can be skipped without being read. */
function groupsOf(property: string, restriction: Restriction, cells: readonly Cell[]): Group[] {
  if (property === 'status' || property === 'country') return groupsOfMarks(property, restriction, cells);
  if (property === 'lastName') return groupsOfLastNames(restriction, cells);
  return [];
}

export function inOrder(groups: readonly Group[], direction: Direction): Group[] {
  const ascending = groups.toSorted((a, b) => compareCodePoints(a.text, b.text));
  return direction === 'asc' ? ascending : ascending.reverse();
}

const describe = (paths: readonly AccessPath[]): string =>
  [...new Set(paths.map(({ description }) => description))].join(', ');

/** With more groups than this in the window, to read everything is cheaper than to plan. */
const MAX_GROUPS = 200;

/** Sorted by what is counted: one group after another, each a listing of its own; those outside the window are skipped. */
export const groupByGroup: Proposal = ({ restriction, order: [lead, ...rest], window, cells }, planPart) => {
  const groups = inOrder(groupsOf(lead.property, restriction, cells), lead.direction);
  const paths: AccessPath[] = [];
  let position = 0;
  for (const group of groups) {
    const part = { start: Math.max(window.start - position, 0), end: Math.min(window.end - position, group.users) };
    if (paths.length >= MAX_GROUPS) return [];
    if (part.start < part.end) {
      paths.push(planPart({ restriction: group.restriction, order: totalOrder(rest), window: part, cells }));
    }
    position += group.users;
  }
  if (paths.length === 0) return [];
  return [
    {
      description: `by ${lead.property}: ${describe(paths)}`,
      units: paths.reduce((sum, { units }) => sum + units, 0),
      isCertain: paths.every(({ isCertain }) => isCertain),
      read: async (dependencies) => (await Promise.all(paths.map((path) => path.read(dependencies)))).flat(),
    },
  ];
};
