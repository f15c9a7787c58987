/**
 * All rows of a moment: a base, which has those of an earlier one in columns (base.ts, column.ts), and those that have changed since
 * (overlay.ts). It never changes: `withChanges` and a compaction (compaction.ts) make the next one.
 */

import { type Base, emptyBase } from '../stored/base.ts';
import type { Carried } from '../stored/carried.ts';
import { openBase } from '../stored/pack.ts';
import type { Kinds, Row } from '../values/definition.ts';
import { Overlay, type Sizes, type View } from './overlay.ts';

/** An array of all cells has four megabytes. */
const SIZES: Sizes = { few: 64, bins: 4_096, cells: 1 << 20 };

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

/** A replica of all that a base has. @param sizes for tests */
export const replicaOf = (base: Base, sizes: Sizes = SIZES): Replica =>
  replicaWith({ overlay: new Overlay(base), slots: 0, sizes }, base.size);

export const baseOf = ({ view }: Replica): Base => view.overlay.base;

export const emptyReplica = (kinds: Kinds, sizes?: Sizes): Replica => replicaOf(emptyBase(kinds), sizes);

/**
 * Opens what `pack` made, in parts: their bytes are checked now, and unpacked when a question first needs them. A field that the bytes do not
 * have, or have with another kind, has no values; columns of no field are ignored.
 *
 * @param carried as they were packed with
 * @throws {BrokenBase} now, or from the first question
 */
export const open = (kinds: Kinds, parts: readonly Uint8Array[], checksum: number, carried?: Carried): Replica =>
  replicaOf(openBase(kinds, parts, checksum, carried));

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
