/**
 * A place of an order as a token: the values by which the user just before it is sorted. It gives no rights, so nothing signs it, and
 * whoever makes one up gets the users behind what it says.
 */
import { type Order, type Row, type Value, valueIn } from '../columns/index.ts';
import { isNumber } from './fields.ts';
import type { ListedUser } from './user.ts';

/** No link has more, so no token has. */
const MOST_CHARACTERS = 6_000;

const nameOf = ({ property, per, descending }: Order[number]): string =>
  `${descending ? '-' : ''}${property}${per ?? ''}`;

const nameOfOrder = (order: Order): string => order.map(nameOf).join();

/** The fields of an order. A place has its id always. */
const fieldsOf = (order: Order): string[] => order.flatMap(({ property }) => (property === 'id' ? [] : [property]));

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
