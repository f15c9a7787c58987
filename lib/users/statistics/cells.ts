import { mark, SEPARATOR } from '../keys.ts';
import type { UserFields } from '../user.ts';

/** How many users have this status and this country, each given as its mark in the keys. */
export interface Cell {
  status: string;
  country: string;
  users: number;
}

/** The text that names a cell in keys and attributes. */
export const cellOf = ({ status, country }: Pick<UserFields, 'status' | 'country'>): string =>
  mark(status) + SEPARATOR + mark(country);

/** The cell that a text names; what follows a second separator is not part of it. */
export function toCell(text: string, users: number): Cell {
  const [status = '', country = ''] = text.split(SEPARATOR);
  return { status, country, users };
}

/** One cell for each status and country, without those that have no users. */
export function mergeCells(cells: Iterable<Cell>): Cell[] {
  const merged = new Map<string, Cell>();
  for (const cell of cells) {
    const key = cell.status + SEPARATOR + cell.country;
    merged.set(key, { ...cell, users: cell.users + (merged.get(key)?.users ?? 0) });
  }
  return [...merged.values()].filter(({ users }) => users > 0);
}
