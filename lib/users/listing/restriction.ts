import { mark } from '../keys.ts';
import type { Cell } from '../statistics/cells.ts';
import type { LastName } from '../statistics/lastNames.ts';
import { fold } from '../text.ts';
import type { User } from '../user.ts';

export const FILTER_PROPERTIES = ['status', 'country'] as const;

export type FilterProperty = (typeof FILTER_PROPERTIES)[number];

/** What a client asks for: exact, case-sensitive equality. */
export type Filters = { readonly [Property in FilterProperty]?: string };

/** Which users a listing has. A property that is absent is not restricted. */
export interface Restriction {
  /** The marks of the values that are allowed; all of them are equal up to case. */
  readonly status?: readonly string[];
  readonly country?: readonly string[];
  /** The last names that are allowed: those that contain the keyword, each with the users that have it. */
  readonly lastNames?: readonly LastName[];
  /** Only greater ids. Counts know nothing of it. */
  readonly after?: number;
}

export function restrictionOf(filters: Filters, lastNames?: readonly LastName[]): Restriction {
  const marks = FILTER_PROPERTIES.flatMap((property) => {
    const value = filters[property];
    return value === undefined ? [] : [[property, [mark(value)]] as const];
  });
  return { ...Object.fromEntries(marks), ...(lastNames && { lastNames }) };
}

/** A predicate on users; an index is a way to candidates, and this alone decides. */
export function keeperOf(restriction: Restriction): (user: User) => boolean {
  const { status, country, lastNames, after } = restriction;
  const names = lastNames && new Set(lastNames.map(({ name }) => name));
  return (user) =>
    (after === undefined || user.id > after) &&
    (!status || status.includes(mark(user.status))) &&
    (!country || country.includes(mark(user.country))) &&
    (!names || (user.lastName !== undefined && names.has(fold(user.lastName))));
}

/** What is counted of the users that a restriction allows; `cells` are those of all users. */
export function allowedCells({ status, country, lastNames }: Restriction, cells: readonly Cell[]): Cell[] {
  const counted = lastNames ? lastNames.flatMap((lastName) => lastName.cells) : cells;
  return counted.filter(
    (cell) => (!status || status.includes(cell.status)) && (!country || country.includes(cell.country)),
  );
}

/** How many users a restriction allows: exact, without reading one of them. */
export const countAllowed = (restriction: Restriction, cells: readonly Cell[]): number =>
  allowedCells(restriction, cells).reduce((sum, { users }) => sum + users, 0);
