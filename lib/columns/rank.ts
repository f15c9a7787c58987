/** Where a place of an order lies among the users who match. */
import { type Axis, axisOf, type Mark } from './axis.ts';
import type { Order, Row, Work } from './definition.ts';
import type { Match, View } from './match.ts';
import { scratch } from './scratch.ts';
import { inStretches } from './stretches.ts';

/** An axis, and where the place lies on it. */
interface Step {
  readonly axis: Axis;
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
  for (const { axis, mark } of steps) {
    const own = equal;
    const kept = scratch.take(own.length);
    const keys = axis.keysFor(own.length);
    const sign = axis.descending ? -1 : 1;
    let found = 0;
    inStretches(own.length, work, (from, to) => {
      let [before, at] = [0, found];
      for (let i = from; i < to; i++) {
        const item = own[i] ?? 0;
        const isRow = item < size;
        const key = isRow ? (keys ? (keys[item] ?? 0) : axis.keyOf(item)) : 0;
        const difference = isRow ? 2 * key + 1 - mark.position : mark.compare(item - size);
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
function countOfAll({ changes, slots }: View, steps: readonly Step[], { axis, mark }: Step, work: Work): number {
  const { size } = changes.base;
  const { there, former } = changes.lastOf(slots);
  const key = mark.position >> 1;
  const [from, to] = [axis.before(key), axis.before(key + (mark.position % 2))];
  const count = (items: Uint32Array) => scratch.during(() => countOf(items, steps, size, work));
  const ofBase = (axis.descending ? size - to : from) + count(axis.rows().subarray(from, to));
  return ofBase - count(former) + count(there.map((slot) => size + slot));
}

/** How many of the users who match, or of all, come before a place of an order or stand at it. Nobody need have been there. */
export function rankOf(view: View, match: Match | number, order: Order, place: Row, work: Work): number {
  const steps = order.map((step): Step => {
    const axis = axisOf(view.changes, step, work);
    return { axis, mark: axis.markOf(place) };
  });
  const [first] = steps;
  if (typeof match === 'number') return first ? countOfAll(view, steps, first, work) : 0;
  return scratch.during(() => countOf(match.items, steps, view.changes.base.size, work));
}
