import type { User } from '../user.ts';
import { compareBy, rankBy, type SortKey } from './order.ts';

/** Each user once: one who changes while lists are read may come at its old and at its new place. */
const distinct = (users: readonly User[]): User[] => [...new Map(users.map((user) => [user.id, user])).values()];

export const inOrder = (users: readonly User[], order: readonly SortKey[]): User[] =>
  distinct(users)
    .map(rankBy(order))
    .sort(compareBy(order))
    .map(({ user }) => user);

/** This many users are sorted at once, and then the surplus is dropped. */
const CHUNK = 2_000;

/** The first `count` users in an order. */
export function firstInOrder(users: readonly User[], order: readonly SortKey[], count: number): User[] {
  let first: User[] = [];
  for (let at = 0; at < users.length; at += CHUNK) {
    first = inOrder([...first, ...users.slice(at, at + CHUNK)], order).slice(0, count);
  }
  return first;
}
