import { mark } from '../keys.ts';
import type { CountCell } from '../statistics/counts.ts';
import type { User } from '../user.ts';

export const FILTER_PROPERTIES = ['status', 'country'] as const;

export type FilterProperty = (typeof FILTER_PROPERTIES)[number];

/** What a client asks for: exact, case-sensitive equality. */
export type Filters = { readonly [Property in FilterProperty]?: string };

/** The marks that a user's status and country may have; a property that is absent is not restricted. */
export type Restriction = { readonly [Property in FilterProperty]?: readonly string[] };

export const restrictionOf = (filters: Filters): Restriction =>
  Object.fromEntries(FILTER_PROPERTIES.flatMap((p) => (filters[p] === undefined ? [] : [[p, [mark(filters[p])]]])));

const allows = (restriction: Restriction, marks: Record<FilterProperty, string>): boolean =>
  FILTER_PROPERTIES.every((property) => restriction[property]?.includes(marks[property]) ?? true);

export const allowsUser = (restriction: Restriction, user: User): boolean =>
  allows(restriction, { status: mark(user.status), country: mark(user.country) });

export const allowedCells = (restriction: Restriction, cells: readonly CountCell[]): CountCell[] =>
  cells.filter((cell) => allows(restriction, cell));

/** How many users a restriction allows: exact, without reading one of them. */
export const countAllowed = (restriction: Restriction, cells: readonly CountCell[]): number =>
  allowedCells(restriction, cells).reduce((sum, { users }) => sum + users, 0);
