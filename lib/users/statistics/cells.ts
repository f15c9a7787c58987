import { mark, SEPARATOR } from '../keys.ts';
import type { UserFields } from '../user.ts';
import { ZONED_FIELDS, type Zones } from './zones.ts';

/** How many users have this status and this country, each given as its mark in the keys. */
export interface Cell {
  status: string;
  country: string;
  users: number;
  /** Where in the orders of the fields its users are; known of the cells of all users only. */
  zones?: Zones;
}

/** The text that names a cell in keys and attributes. */
export const cellOf = ({ status, country }: Pick<UserFields, 'status' | 'country'>): string =>
  mark(status) + SEPARATOR + mark(country);

/** The cell that a text names; what follows a second separator is not part of it. */
export function toCell(text: string, users: number): Cell {
  const [status = '', country = ''] = text.split(SEPARATOR);
  return { status, country, users };
}

/** The zones of some cells together; none where none are known. */
export function uniteZones(cells: readonly Cell[]): { zones?: Zones } {
  const known = cells.flatMap(({ zones }) => zones ?? []);
  if (known.length === 0) return {};
  const united = ZONED_FIELDS.map((field) => [field, new Set(known.flatMap((zones) => [...zones[field]]))] as const);
  return { zones: Object.fromEntries(united) as Record<(typeof ZONED_FIELDS)[number], Set<number>> };
}

/** One cell for each status and country, without those that have no users. */
export function mergeCells(cells: Iterable<Cell>): Cell[] {
  const merged = new Map<string, Cell>();
  for (const cell of cells) {
    const key = cell.status + SEPARATOR + cell.country;
    const other = merged.get(key);
    merged.set(key, other ? { ...cell, users: cell.users + other.users, ...uniteZones([cell, other]) } : cell);
  }
  return [...merged.values()].filter(({ users }) => users > 0);
}
