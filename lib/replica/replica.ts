/**
 * All users in memory: a base, which has them in columns, and over it the users that have changed since. Any list question is
 * answered from it exactly.
 */
import { type Base, emptyBase } from './base.ts';
import { Changed } from './changed.ts';
import { type Count, countBy } from './counts.ts';
import type { Kinds, Order, Question, Row, Value, Work } from './definition.ts';
import { matching } from './match.ts';
import { mergeBase } from './merge.ts';
import { type Sizes, select } from './select.ts';

export type { Work };

export const SIZES: Sizes = { few: 1_024, bins: 4_096 };

/** Rows of an iterable are merged when there are so many, so that not all are in memory as objects. */
const MERGED_AT_ONCE = 1 << 18;

export interface Replica {
  readonly base: Base;
  /** How many users there are. */
  readonly total: number;
  /** How many users have changed since the base. */
  readonly changed: number;
  /** Shared with the next replicas: this one sees the first so many slots. */
  readonly changes: Changed;
  readonly slots: number;
  readonly sizes: Sizes;
}

export const replicaOf = (base: Base, sizes: Sizes = SIZES): Replica => ({
  base,
  total: base.size,
  changed: 0,
  changes: new Changed(base),
  slots: 0,
  sizes,
});

export const emptyReplica = (kinds: Kinds, sizes?: Sizes): Replica => replicaOf(emptyBase(kinds), sizes);

/** Somebody else went on from this replica, or most slots are of users who changed again: then the last ones move. */
function ownChanges({ base, changes, slots, sizes }: Replica): Changed {
  if (changes.length === slots && slots <= 2 * changes.size + sizes.few) return changes;
  const own = new Changed(base);
  for (const slot of changes.slots(slots)) own.add(changes.ids[slot] ?? 0, changes.users[slot]);
  return own;
}

/** Later changes of an id win. undefined: the user is gone. Costs what the changes cost, but now and then. */
export function withChanges(replica: Replica, changes: Iterable<readonly [id: number, row: Row | undefined]>): Replica {
  const own = ownChanges(replica);
  let { total } = replica;
  for (const [id, row] of changes) total += own.add(id, row);
  return { ...replica, total, changed: own.size, changes: own, slots: own.length };
}

/** The same users, all in the base. */
export const merged = (replica: Replica, work?: Work): Replica =>
  replica.slots === 0 ? replica : replicaOf(mergeBase(replica.changes, replica.slots, work), replica.sizes);

/** Builds a base from rows in any order. */
export function replicaFrom(kinds: Kinds, rows: Iterable<Row>, sizes?: Sizes): Replica {
  let replica = emptyReplica(kinds, sizes);
  let some: [number, Row][] = [];
  for (const row of rows) {
    if (some.push([row.id, row]) < MERGED_AT_ONCE) continue;
    replica = merged(withChanges(replica, some));
    some = [];
  }
  return merged(withChanges(replica, some));
}

/** A user as it is shown: only fields, in their order. */
function shown({ base, changes }: Replica, item: number): Row {
  if (item < base.size) return base.rowAt(item);
  const user = changes.users[item - base.size];
  const row: { id: number; [field: string]: Value } = { id: changes.ids[item - base.size] ?? 0 };
  for (const field of Object.keys(base.kinds)) {
    const value = user?.[field];
    if (value !== undefined) row[field] = value;
  }
  return row;
}

const matched = ({ changes, slots, sizes }: Replica, question: Question, work?: Work) =>
  matching(changes, slots, question, sizes.few, work);

export function pageOf(
  replica: Replica,
  question: Question,
  order: Order,
  skip: number,
  take: number,
  work?: Work,
): { total: number; rows: Row[] } {
  const match = matched(replica, question, work);
  const items = select(replica.changes, match, order, [skip, skip + take], replica.sizes, work);
  return { total: match.rows.length + match.slots.length, rows: Array.from(items, (item) => shown(replica, item)) };
}

/** The largest first; equal counts in the order of the values as `compareRows` has it. */
export function countsOf(
  replica: Replica,
  question: Question,
  by: readonly string[],
  work?: Work,
): { total: number; counts: Count[] } {
  const match = matched(replica, question, work);
  return { total: match.rows.length + match.slots.length, counts: countBy(replica.changes, match, by, work) };
}

/** All matching rows in the order. It sorts once; rows are decoded while they are taken. */
export function rowsOf(
  replica: Replica,
  question: Question,
  order: Order,
  work?: Work,
): { total: number; rows: Iterable<Row> } {
  const match = matched(replica, question, work);
  const total = match.rows.length + match.slots.length;
  const items = select(replica.changes, match, order, [0, total], replica.sizes, work);
  return { total, rows: decoded(replica, items, work) };
}

function* decoded(replica: Replica, items: Uint32Array, work?: Work): Generator<Row, void, undefined> {
  for (const [i, item] of items.entries()) {
    if (i % 4_096 === 0) work?.tick();
    yield shown(replica, item);
  }
}
