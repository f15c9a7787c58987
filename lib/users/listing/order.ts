import type { SortProperty } from '../fields.ts';
import { sortText } from '../keys.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';

export type Direction = 'asc' | 'desc';

export interface SortKey {
  property: SortProperty;
  direction: Direction;
}

/** A total order: the id is always its last key. */
export type Order = readonly [SortKey, ...SortKey[]];

/**
 * Keeps the first mention of each property, drops keys after the id, and adds the id if it is missing, in the direction of the last
 * property: so a descending list is the list backwards.
 */
export function totalOrder(keys: readonly SortKey[]): Order {
  const distinct = keys.filter(({ property }, i) => keys.findIndex((key) => key.property === property) === i);
  const end = distinct.findIndex(({ property }) => property === 'id');
  const kept = end < 0 ? distinct : distinct.slice(0, end + 1);
  const direction = kept.at(-1)?.direction ?? 'asc';
  const [first, ...rest] = kept;
  if (!first) return [{ property: 'id', direction }];
  return end < 0 ? [first, ...rest, { property: 'id', direction }] : [first, ...rest];
}

/** Whether a list in the order of a property has the whole order: then no runs of equal values must be sorted. */
export function hasOwnOrder([lead, next, ...more]: Order): boolean {
  if (lead.property === 'id' || !next) return true;
  return more.length === 0 && next.property === 'id' && next.direction === lead.direction;
}

export const opposite = (direction: Direction): Direction => (direction === 'asc' ? 'desc' : 'asc');

const flip = ({ property, direction }: SortKey): SortKey => ({ property, direction: opposite(direction) });

export const reversed = ([first, ...rest]: Order): Order => [flip(first), ...rest.map(flip)];

/** What is in ascending order, in a direction. */
export const inDirection = <Item>(items: readonly Item[], direction: Direction): Item[] =>
  direction === 'asc' ? [...items] : items.toReversed();

/** Each user once: one who changes while lists are read may come at its old and at its new place. */
const distinct = (users: readonly User[]): User[] => [...new Map(users.map((user) => [user.id, user])).values()];

export function sortedBy(users: readonly User[], order: readonly SortKey[]): User[] {
  // Texts are folded once, and not in every comparison.
  const ranked = distinct(users).map((user) => ({
    user,
    texts: order.map(({ property }) => sortText(user, property)),
  }));
  ranked.sort((a, b) => {
    for (const [i, { direction }] of order.entries()) {
      const difference = compareCodePoints(a.texts[i] ?? '', b.texts[i] ?? '');
      if (difference !== 0) return direction === 'asc' ? difference : -difference;
    }
    return 0;
  });
  return ranked.map(({ user }) => user);
}
