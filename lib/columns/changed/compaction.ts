/** The next base, which has all changes of a replica; and the stored form of a base, for which they are in it, too. */

import type { Carried } from '../stored/carried.ts';
import { type Packed, packBase } from '../stored/pack.ts';
import type { Kinds, Row } from '../values/definition.ts';
import { made, NO_LIMIT, type Steps } from '../work/chunks.ts';
import { compactedBase } from './nextBase.ts';
import type { Sizes, View } from './overlay.ts';
import { baseOf, emptyReplica, type Replica, replicaOf, withChanges } from './replica.ts';

/** Rows of an iterable that are merged together, so that not all are in memory as objects. */
const COMPACTED_AT_ONCE = 1 << 18;

/** The same rows, all in the base: made in steps. */
export function* compacting(replica: Replica): Steps<Replica> {
  const { view } = replica;
  return view.slots === 0 ? replica : replicaOf(yield* compactedBase(view), view.sizes);
}

export function compacted(replica: Replica, work = NO_LIMIT): Replica {
  return made(compacting(replica), () => work.tick());
}

/**
 * The stored form of all rows as they are now. A replica with changes is compacted for it.
 *
 * @param carried of fields the numbers that ids say: rows that have just these take no bytes
 */
export const pack = (replica: Replica, carried?: Carried): Packed => packBase(baseOf(compacted(replica)), carried);

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

/** Of the replica as it is now: `movedTo` brings what comes meanwhile. */
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
