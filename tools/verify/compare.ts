import { type Replica, type Row, rowsOf } from '../../lib/columns/index.ts';
import { totalOrder } from '../../lib/users/order.ts';
import { FIELD_NAMES, isSame } from '../../lib/users/user.ts';

/** A user whom two replicas do not have alike, and in which fields. All of them if one lacks the user. */
export interface Difference {
  id: number;
  fields: string[];
}

const ID_LAST = { id: Number.POSITIVE_INFINITY };

function differenceOf(a: Row, b: Row): Difference[] {
  if (a.id !== b.id) return [{ id: Math.min(a.id, b.id), fields: [...FIELD_NAMES] }];
  const fields = FIELD_NAMES.filter((field) => !isSame(a[field], b[field]));
  return fields.length > 0 ? [{ id: a.id, fields }] : [];
}

/** The users whom two replicas do not have alike, by id. */
export function differencesOf(one: Replica, other: Replica): Difference[] {
  const [a, b] = [one, other].map(({ ...replica }) => rowsOf(replica, {}, totalOrder([])).rows[Symbol.iterator]());
  const next = (rows: Iterator<Row> | undefined): Row => rows?.next().value ?? ID_LAST;
  const differences: Difference[] = [];
  let [x, y] = [next(a), next(b)];
  while (x !== ID_LAST || y !== ID_LAST) {
    differences.push(...differenceOf(x, y));
    const [isX, isY] = [x.id <= y.id, y.id <= x.id];
    if (isX) x = next(a);
    if (isY) y = next(b);
  }
  return differences;
}
