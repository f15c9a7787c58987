/** Where a place of an order lies among the users who match. */

import type { View } from '../changed/overlay.ts';
import type { Row } from '../values/definition.ts';
import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks } from '../work/chunks.ts';
import type { Mark, SortKey } from './sortKey.ts';

/** Users in an order. */
interface Ordered {
  readonly view: View;
  readonly sortKeys: readonly SortKey[];
  readonly work: Work;
}

/** A sort key, and where the place lies on it. */
interface Step {
  readonly sortKey: SortKey;
  readonly mark: Mark;
}

/**
 * How many of some items come before the place, or stand at it. One step of the order after the other: only items that are equal on the
 * steps before are looked at.
 *
 * @param size items from it on are slots
 */
function countOf(items: Uint32Array, steps: readonly Step[], size: number, work: Work): number {
  let count = 0;
  let equal = items;
  for (const { sortKey, mark } of steps) {
    const own = equal;
    const kept = arena.take(own.length);
    const keys = sortKey.keysFor(own.length);
    const sign = sortKey.descending ? -1 : 1;
    let found = 0;
    overChunks(own.length, work, (from, to) => {
      let [before, at] = [0, found];
      for (let i = from; i < to; i++) {
        const item = own[i] ?? 0;
        const difference =
          item < size
            ? 2 * (keys ? (keys[item] ?? 0) : sortKey.keyOf(item)) + 1 - mark.position
            : mark.compare(item - size);
        before += Number(difference * sign < 0);
        kept[at] = item;
        at += Number(difference === 0);
      }
      count += before;
      found = at;
    });
    equal = kept.subarray(0, found);
  }
  return count + equal.length;
}

/** Of all users: only those of the base who have the place's key are looked at, and what has changed. */
function countOfAll({ overlay, slots }: View, steps: readonly Step[], { sortKey, mark }: Step, work: Work): number {
  const { size } = overlay.base;
  const { there, former } = overlay.lastOf(slots);
  const key = mark.position >> 1;
  const [from, to] = [sortKey.before(key), sortKey.before(key + (mark.position % 2))];
  const count = (items: Uint32Array, of = steps) => arena.during(() => countOf(items, of, size, work));
  // These all have the place's key.
  const equal = count(sortKey.rows().subarray(from, to), steps.slice(1));
  const ofBase = (sortKey.descending ? size - to : from) + equal;
  return ofBase - count(former) + count(there.map((slot) => size + slot));
}

/**
 * How many of the users who match, or of all, come before a place of an order or stand at it. Nobody need have been there.
 *
 * @param items undefined for all
 */
export function rankOf({ view, sortKeys, work }: Ordered, items: Uint32Array | undefined, place: Row): number {
  const steps = sortKeys.map((sortKey): Step => ({ sortKey, mark: sortKey.markOf(place) }));
  const [first] = steps;
  if (items) return arena.during(() => countOf(items, steps, view.overlay.base.size, work));
  return first ? countOfAll(view, steps, first, work) : 0;
}
