/**
 * All users in memory, from which any list question is answered exactly, in milliseconds. A replica is a base, which
 * has the users of a moment in columns (base.ts, column.ts), and the users that have changed since (changed.ts).
 *
 * It becomes another one: `withChanges`, `merged` (or, in steps, `merging` and `movedTo`). It is asked: `pageOf`, `countsOf`, `rowsOf`. Its base is stored:
 * pack.ts.
 *
 * - Answers are those of a list that is filtered by `meets` and sorted by `compareRows`
 *   (tests/property/replica.test.ts).
 * - It never changes: whoever holds it goes on with it, as streams do (the same test).
 * - The next one costs what is new, however much has changed before ("shares earlier changes",
 *   tests/unit/columns/replica.test.ts).
 * - A base has only values that somebody has ("that is merged").
 * - Damaged bytes are a BrokenBase, never a wrong answer ("with any damage", tests/unit/columns/pack.test.ts).
 * - Long work can be ended ("ticks").
 *
 * A question finds the matching rows (match.ts), then where a walk has come to (rank.ts), then the part of the order
 * that is asked for (select.ts); or it counts (counts.ts).
 */
import { type Base, emptyBase, rowWith } from './base.ts';
import { Changed } from './changed.ts';
import { type Count, countBy } from './counts.ts';
import type { Kinds, Order, Question, Row, Work } from './definition.ts';
import type { By } from './dimensions.ts';
import { matching, type Sizes, type View } from './match.ts';
import { membersFrom } from './members.ts';
import { mergeBase } from './merge.ts';
import { rankOf } from './rank.ts';
import { scratch } from './scratch.ts';
import { select } from './select.ts';
import { made, type Steps } from './steps.ts';

export type { Sizes };

const SIZES: Sizes = { few: 64, bins: 4_096 };

const NO_LIMIT: Work = { tick: () => {} };

/** Rows of an iterable are merged when there are so many, so that not all are in memory as objects. */
const MERGED_AT_ONCE = 1 << 18;

export interface Replica extends View {
  readonly base: Base;
  /** How many users there are. */
  readonly total: number;
  /** How many users have changed since the base. */
  readonly changed: number;
}

export const replicaOf = (base: Base, sizes: Sizes = SIZES): Replica => ({
  base,
  sizes,
  total: base.size,
  changed: 0,
  changes: new Changed(base),
  slots: 0,
});

const emptyReplica = (kinds: Kinds, sizes?: Sizes): Replica => replicaOf(emptyBase(kinds), sizes);

/** If somebody else has gone on from this replica, or most slots are replaced, the last one of each user moves. */
function ownChanges({ base, changes, slots, sizes }: Replica): Changed {
  if (changes.length === slots && slots <= 2 * changes.size + sizes.few) return changes;
  const own = new Changed(base);
  for (const slot of changes.slots(slots)) own.add(changes.ids[slot] ?? 0, changes.users[slot]);
  return own;
}

/** Later changes of the same id win. undefined: the user is gone. It costs what the changes cost. */
export function withChanges(replica: Replica, changes: Iterable<readonly [id: number, row: Row | undefined]>): Replica {
  const own = ownChanges(replica);
  let { total } = replica;
  for (const [id, row] of changes) total += own.add(id, row);
  return { ...replica, total, changed: own.size, changes: own, slots: own.length };
}

/** The same users, all in the base: made in steps. */
export function* merging(replica: Replica): Steps<Replica> {
  return replica.slots === 0 ? replica : replicaOf(yield* mergeBase(replica), replica.sizes);
}

export function merged(replica: Replica, work = NO_LIMIT): Replica {
  return made(merging(replica), () => work.tick());
}

/** The last change of each user who has changed since the base. */
function lastChanges({ changes, slots }: Replica): Map<number, Row | undefined> {
  const last = new Map<number, Row | undefined>();
  for (const slot of changes.slots(slots)) last.set(changes.ids[slot] ?? 0, changes.users[slot]);
  return last;
}

/**
 * What a replica is on the base that was merged of another one meanwhile: of an earlier or a later state of the same
 * base's users. Only users whom the two have otherwise are changed in it.
 */
export function movedTo(next: Replica, from: Replica, replica: Replica): Replica {
  const { base, changes: all, slots } = replica;
  if (all === from.changes && slots >= from.slots) {
    const later = all.slots(slots).filter((slot) => slot >= from.slots);
    return withChanges(
      next,
      Array.from(later, (slot) => [all.ids[slot] ?? 0, all.users[slot]]),
    );
  }
  const [before, now] = [lastChanges(from), lastChanges(replica)];
  const changes = [...now].filter(([id, row]) => !before.has(id) || before.get(id) !== row);
  for (const id of before.keys()) {
    const row = base.rowOf(id);
    if (!now.has(id)) changes.push([id, base.ids[row] === id ? base.rowAt(row) : undefined]);
  }
  return withChanges(next, changes);
}

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

function shown({ base, changes }: Replica, item: number): Row {
  if (item < base.size) return base.rowAt(item);
  const slot = item - base.size;
  return rowWith(base.kinds, changes.ids[slot] ?? 0, (field) => {
    const value = changes.users[slot]?.[field];
    return typeof value === 'object' ? membersFrom(Object.entries(value)) : value;
  });
}

const isOfAll = ({ where = [], ids, notIds, from, to }: Question): boolean =>
  where.length === 0 && [ids, notIds, from, to].every((each) => each === undefined);

/** So many users of a question, and some of them: without the first so many, or those behind a place. */
function selected(replica: Replica, question: Question, order: Order, begin: number | Row, take: number, work: Work) {
  scratch.begin();
  const match = isOfAll(question) ? replica.total : matching(replica, question, work);
  const from = typeof begin === 'number' ? begin : rankOf(replica, match, order, begin, work);
  const items = select(replica, match, order, from, from + take, work);
  const total = typeof match === 'number' ? match : match.items.length;
  return { total, items, left: Math.max(0, total - from - items.length) };
}

/**
 * So many rows of the question's, in an order: without the first so many, or those of whom `compareRows` says that they come behind a place,
 * which has the values of somebody who need not be there any more.
 */
export function pageOf(
  replica: Replica,
  question: Question,
  order: Order,
  begin: number | Row,
  take: number,
  work = NO_LIMIT,
): { total: number; rows: Row[]; left: number } {
  const { items, ...numbers } = selected(replica, question, order, begin, take, work);
  return { ...numbers, rows: Array.from(items, (item) => shown(replica, item)) };
}

/**
 * How many users have each combination of some values, for so many combinations: the largest first, equal ones in the
 * order of their values, as `compareExactly` has it. `others` is how many users have none of these.
 */
export function countsOf(
  replica: Replica,
  question: Question,
  by: readonly By[],
  most: number,
  work = NO_LIMIT,
): { total: number; counts: Count[]; others: number } {
  scratch.begin();
  const match = matching(replica, question, work);
  return { total: match.items.length, ...countBy(replica, match, by, most, work) };
}

/** All matching rows in the order, for streams: it sorts once, and decodes each row when it is taken. */
export function rowsOf(
  replica: Replica,
  question: Question,
  order: Order,
  work = NO_LIMIT,
): { total: number; rows: Iterable<Row> } {
  const { total, items } = selected(replica, question, order, 0, replica.total, work);
  return { total, rows: decoded(replica, items, work) };
}

function* decoded(replica: Replica, items: Uint32Array, work: Work): Generator<Row, void, undefined> {
  for (const [i, item] of items.entries()) {
    if (i % 1_024 === 0) work.tick();
    yield shown(replica, item);
  }
}
