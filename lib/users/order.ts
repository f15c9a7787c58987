/** The order of a list, and a place of it, from which a walk goes on. */
import { type Order, type Row, type Value, valueIn } from '../columns/index.ts';
import { TIES } from './ids.ts';
import { isNumber, type ListedUser, type SortProperty } from './user.ts';

export type Direction = 'asc' | 'desc';

export interface SortKey {
  property: SortProperty;
  direction: Direction;
}

/** The moment of creation is a part of the id. */
const stepOf = ({ property, direction }: SortKey): Order[number] => ({
  ...(property === 'createdAt' ? { property: 'id', per: TIES } : { property }),
  descending: direction === 'desc',
});

/**
 * The total order of some keys: keeps the first mention of each property, drops keys after the id, and adds the id if it is missing, in the
 * direction of the last property: so a descending list is the list backwards.
 */
export function totalOrder(keys: readonly SortKey[]): Order {
  const distinct = keys.filter(({ property }, i) => keys.findIndex((key) => key.property === property) === i);
  const end = distinct.findIndex(({ property }) => property === 'id');
  if (end >= 0) return distinct.slice(0, end + 1).map(stepOf);
  return [...distinct, { property: 'id', direction: distinct.at(-1)?.direction ?? 'asc' } as const].map(stepOf);
}

/** No link has more, so no token has. */
const MOST_CHARACTERS = 6_000;

const nameOf = ({ property, per, descending }: Order[number]): string =>
  `${descending ? '-' : ''}${property}${per ?? ''}`;

const nameOfOrder = (order: Order): string => order.map(nameOf).join();

/** The fields of an order. A place has its id always. */
const fieldsOf = (order: Order): string[] => order.flatMap(({ property }) => (property === 'id' ? [] : [property]));

/**
 * A place of an order as a token: the values by which the user just before it is sorted. It gives no rights, so nothing signs it: with one that
 * is made up, a client gets the users behind what it says.
 */
export function writePlace(order: Order, user: ListedUser): string {
  const values = fieldsOf(order).map((field) => valueIn(user, field) ?? null);
  return Buffer.from(JSON.stringify([nameOfOrder(order), user.id, ...values])).toString('base64url');
}

function parsed(token: string): unknown[] {
  if (token.length > MOST_CHARACTERS || !/^[\w-]+$/.test(token)) return [];
  try {
    const place: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(place) ? place : [];
  } catch {
    return [];
  }
}

/** Whether a field can have a value, as the replica compares it: that of an attribute is its code. */
const isValue = (field: string, value: unknown): value is Value | null =>
  value === null ||
  (isNumber(field)
    ? Number.isFinite(value)
    : typeof value === 'string' && value.isWellFormed() && !value.includes('\0'));

/** The place that a token says, as what a user there would have; undefined if it is none of the order. */
export function readPlace(order: Order, token: string): Row | undefined {
  const [name, id, ...values] = parsed(token);
  const fields = fieldsOf(order);
  if (name !== nameOfOrder(order) || !Number.isSafeInteger(id) || values.length !== fields.length) return undefined;
  const place: Record<string, Value> & { id: number } = { id: Number(id) };
  for (const [i, field] of fields.entries()) {
    const value = values[i];
    if (!isValue(field, value)) return undefined;
    if (value !== null) place[field] = value;
  }
  return place;
}
