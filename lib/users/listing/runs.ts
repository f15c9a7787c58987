/** Neighbours in an order who have the same sort text in its first property. */
import { sortText } from '../keys.ts';
import type { User } from '../user.ts';
import type { SortKey } from './order.ts';

/** The matching users at the places from `start` on, in the order of the first property. */
export interface Window {
  users: readonly User[];
  start: number;
  /** How many match. */
  total: number;
}

/** Users with one sort text in the first property, as far as they are in a window. */
export interface Run {
  text: string;
  users: readonly User[];
  /** The places [start, end) of these users. */
  start: number;
  end: number;
  /** Whether the run begins, and ends, in the window. */
  begins: boolean;
  ends: boolean;
}

export function runsOf({ users, start, total }: Window, { property }: SortKey): Run[] {
  const texts = users.map((user) => sortText(user, property));
  const runs: Run[] = [];
  for (let first = 0, next: number; first < users.length; first = next) {
    const text = texts[first] ?? '';
    next = texts.findIndex((other, i) => i > first && other !== text);
    if (next < 0) next = users.length;
    runs.push({
      text,
      users: users.slice(first, next),
      start: start + first,
      end: start + next,
      begins: first > 0 || start === 0,
      ends: next < users.length || start + next === total,
    });
  }
  return runs;
}
