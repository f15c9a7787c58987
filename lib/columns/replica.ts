/**
 * All users in memory, from which any list question is answered exactly, in milliseconds. A replica is a base, which
 * has the users of a moment in columns (base.ts, column.ts), and the users that have changed since (overlay.ts).
 *
 * It becomes another one: `withChanges`, `compaction`. It is asked: `pageOf`, `countsOf`, `rowsOf`. It is stored and read: `pack`, `open`.
 *
 * - Answers are those of a list that is filtered by `meets` and sorted by `compareRows`
 *   (tests/property/columns/replica.test.ts).
 * - It never changes: a holder goes on with it, as streams do (the same test).
 * - The next one costs what is new, however much has changed before ("shares earlier changes",
 *   tests/unit/columns/replica.test.ts).
 * - A base has only values that somebody has ("that is merged").
 * - Damaged bytes are a BrokenBase, never a wrong answer ("with any damage", tests/unit/columns/pack.test.ts).
 * - Long work can be ended ("ticks").
 *
 * A question finds the matching rows (where.ts), then where a walk has come to (rank.ts), then the part of the order
 * that is asked for (topK.ts); or it counts (counts.ts).
 */

import { arena } from './arena.ts';
import { type Base, emptyBase, rowWith } from './base.ts';
import type { Carried } from './carried.ts';
import { made, type Steps } from './chunks.ts';
import { compactedBase } from './compaction.ts';
import { type Count, countBy, type Fitting } from './counts.ts';
import type { Kinds, Order, Question, Row, Work } from './definition.ts';
import type { By } from './groupKeys.ts';
import { membersFrom } from './members.ts';
import { Overlay } from './overlay.ts';
import { openBase, type Packed, packBase } from './pack.ts';
import { rankOf } from './rank.ts';
import { topK } from './topK.ts';
import { matching, type Sizes, type View } from './where.ts';

export type { Sizes };

/** An array of all cells has four megabytes. */
const SIZES: Sizes = { few: 64, bins: 4_096, cells: 1 << 20 };

const NO_LIMIT: Work = { tick: () => {} };

/** Rows of an iterable that are merged together, so that not all are in memory as objects. */
const COMPACTED_AT_ONCE = 1 << 18;

/** All rows of a moment. It never changes: `withChanges` and a compaction make the next one. */
export interface Replica {
  /** Stands for the base that the replica goes on from: those that share it differ in changes alone. */
  readonly base: object;
  /** The members that somebody had at the base, each as the name of its column: `attributes.team`. */
  readonly names: readonly string[];
  /** The number of rows. */
  readonly total: number;
  /** The number of rows that have changed since the base. */
  readonly changed: number;
  /** The number of changes since the base that are kept: earlier ones of the same row count, too. */
  readonly changes: number;
  /** The inside, for this package alone. */
  readonly view: View;
}

function replicaWith(view: View, total: number): Replica {
  const { overlay, slots } = view;
  const { base } = overlay;
  return { base, names: base.names, total, changed: overlay.size, changes: slots, view };
}

export const replicaOf = (base: Base, sizes: Sizes = SIZES): Replica =>
  replicaWith({ overlay: new Overlay(base), slots: 0, sizes }, base.size);

export const baseOf = ({ view }: Replica): Base => view.overlay.base;

const emptyReplica = (kinds: Kinds, sizes?: Sizes): Replica => replicaOf(emptyBase(kinds), sizes);

/**
 * Opens what `pack` made, in parts: their bytes are checked now, and unpacked when a question first needs them. A field that the bytes do not
 * have, or have with another kind, has no values; columns of no field are ignored.
 *
 * @param carried as they were packed with
 * @throws {BrokenBase} now, or from the first question
 */
export const open = (
  kinds: Kinds,
  parts: readonly Uint8Array[],
  checksum: number,
  carried?: Carried,
  sizes?: Sizes,
): Replica => replicaOf(openBase(kinds, parts, checksum, carried), sizes);

/**
 * The stored form of all rows as they are now. A replica with changes is compacted for it.
 *
 * @param carried of fields the numbers that ids say: rows that have just these take no bytes
 */
export const pack = (replica: Replica, carried?: Carried): Packed => packBase(baseOf(compacted(replica)), carried);

/** If somebody else has gone on from this replica, or most slots are replaced, the last one of each user moves. */
function ownOverlay({ overlay, slots, sizes }: View): Overlay {
  if (overlay.length === slots && slots <= 2 * overlay.size + sizes.few) return overlay;
  const own = new Overlay(overlay.base);
  for (const slot of overlay.slots(slots)) own.add(overlay.ids[slot] ?? 0, overlay.users[slot]);
  return own;
}

/** Later changes of the same id win. undefined: the user is gone. It costs what the changes cost. */
export function withChanges(replica: Replica, changes: Iterable<readonly [id: number, row: Row | undefined]>): Replica {
  const own = ownOverlay(replica.view);
  let { total } = replica;
  for (const [id, row] of changes) total += own.add(id, row);
  return replicaWith({ overlay: own, slots: own.length, sizes: replica.view.sizes }, total);
}

/** The same rows, all in the base: made in steps. */
export function* compacting(replica: Replica): Steps<Replica> {
  const { view } = replica;
  return view.slots === 0 ? replica : replicaOf(yield* compactedBase(view), view.sizes);
}

export function compacted(replica: Replica, work = NO_LIMIT): Replica {
  return made(compacting(replica), () => work.tick());
}

/** The last change of each row that has changed since the base. */
function lastChanges({ overlay, slots }: View): Map<number, Row | undefined> {
  const last = new Map<number, Row | undefined>();
  for (const slot of overlay.slots(slots)) last.set(overlay.ids[slot] ?? 0, overlay.users[slot]);
  return last;
}

/** Only rows that two replicas of the same base have otherwise are changed in the next one, which is the first of them on a base of its own. */
function moved(next: Replica, from: View, to: View): Replica {
  const { overlay: all, slots } = to;
  if (all === from.overlay && slots >= from.slots) {
    const later = all.slots(slots).filter((slot) => slot >= from.slots);
    return withChanges(
      next,
      Array.from(later, (slot) => [all.ids[slot] ?? 0, all.users[slot]]),
    );
  }
  const { base } = all;
  const [before, now] = [lastChanges(from), lastChanges(to)];
  const changes = [...now].filter(([id, row]) => !before.has(id) || before.get(id) !== row);
  for (const id of before.keys()) {
    const row = base.rowOf(id);
    if (!now.has(id)) changes.push([id, base.ids[row] === id ? base.rowAt(row) : undefined]);
  }
  return withChanges(next, changes);
}

/** Takes all changes of a replica into the next base, in steps: others meanwhile go on with the base that there is. */
export interface Compaction {
  /** The base that it replaces. */
  readonly base: object;
  /**
   * Makes a step, of some milliseconds at most at a million rows. An error ends the compaction.
   *
   * @returns whether it was the last one
   */
  next(): boolean;
  /** The rows of an earlier or later replica of the same base, on the next base. Steps that are left are made now. */
  movedTo(replica: Replica): Replica;
}

export function compaction(from: Replica): Compaction {
  const steps = compacting(from);
  let made: Replica | undefined;
  const next = (): boolean => {
    const { done, value } = steps.next();
    if (done) made = value;
    return done === true;
  };
  return {
    base: from.base,
    next,
    movedTo(replica) {
      while (!made) next();
      return moved(made, from.view, replica.view);
    },
  };
}

/** Builds a base from rows in any order. */
export function replicaFrom(kinds: Kinds, rows: Iterable<Row>, sizes?: Sizes): Replica {
  let replica = emptyReplica(kinds, sizes);
  let some: [number, Row][] = [];
  for (const row of rows) {
    if (some.push([row.id, row]) < COMPACTED_AT_ONCE) continue;
    replica = compacted(withChanges(replica, some));
    some = [];
  }
  return compacted(withChanges(replica, some));
}

function shown({ overlay }: View, item: number): Row {
  const { base } = overlay;
  if (item < base.size) return base.rowAt(item);
  const slot = item - base.size;
  return rowWith(base.kinds, overlay.ids[slot] ?? 0, (field) => {
    const value = overlay.users[slot]?.[field];
    return typeof value === 'object' ? membersFrom(Object.entries(value)) : value;
  });
}

const isOfAll = ({ where = [], ids, notIds, from, to }: Question): boolean =>
  where.length === 0 && [ids, notIds, from, to].every((each) => each === undefined);

/** The number of users of a question, and some of them: without the first ones, or those behind a place. */
function selected(replica: Replica, question: Question, order: Order, begin: number | Row, take: number, work: Work) {
  arena.begin();
  const { view } = replica;
  const match = isOfAll(question) ? replica.total : matching(view, question, work);
  const from = typeof begin === 'number' ? begin : rankOf(view, match, order, begin, work);
  const items = topK(view, match, order, from, from + take, work);
  const total = typeof match === 'number' ? match : match.items.length;
  return { total, items, left: Math.max(0, total - from - items.length) };
}

/**
 * Some rows of the question's, in an order: without the first ones, or those of whom `compareRows` says that they come behind a place,
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
  return { ...numbers, rows: Array.from(items, (item) => shown(replica.view, item)) };
}

/**
 * How many users have each combination of some values: the largest combinations first, equal ones in the
 * order of their values, as `compareExactly` has it. A user with an array is counted for each of its texts. `others` is how many users have
 * a combination beside these.
 *
 * @param fitting how many of the first ones may be told, such as by their bytes: the rest is in `others`
 */
export function countsOf(
  replica: Replica,
  question: Question,
  by: readonly By[],
  most: number,
  work = NO_LIMIT,
  fitting: Fitting = ({ length }) => length,
): { total: number; counts: Count[]; others: number } {
  arena.begin();
  const match = matching(replica.view, question, work);
  return { total: match.items.length, ...countBy(replica.view, match, by, most, fitting, work) };
}

/** All matching rows in the order, for streams: it sorts once, and decodes each row when it is taken. */
export function rowsOf(
  replica: Replica,
  question: Question,
  order: Order,
  work = NO_LIMIT,
): { total: number; rows: Iterable<Row> } {
  const { total, items } = selected(replica, question, order, 0, replica.total, work);
  return { total, rows: decoded(replica.view, items, work) };
}

function* decoded(view: View, items: Uint32Array, work: Work): Generator<Row, void, undefined> {
  for (const [i, item] of items.entries()) {
    if (i % 1_024 === 0) work.tick();
    yield shown(view, item);
  }
}
