/** Where a place of an order lies among the users who match. */
import { type Axis, axisOf, type Mark } from './axis.ts';
import type { Order, Row, Work } from './definition.ts';
import { type Match, TICKS, type View } from './match.ts';

/** An axis, and where the place lies on it. */
interface Step extends Axis {
  readonly mark: Mark;
}

/** Below 0 for an item before the place, 0 for one that stands there. */
type Side = (item: number) => number;

const sideOf =
  (size: number, steps: readonly Step[]): Side =>
  (item) => {
    for (const { keys, mark, descending } of steps) {
      const difference = item < size ? 2 * (keys[item] ?? 0) + 1 - mark.position : mark.compare(item - size);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  };

function countOf(items: Uint32Array, side: Side, work: Work): number {
  let count = 0;
  for (let i = 0; i < items.length; i++) {
    if ((i & TICKS) === 0) work.tick();
    count += Number(side(items[i] ?? 0) <= 0);
  }
  return count;
}

/** Of all users: only those of the base who have the place's key are looked at, and what has changed. */
function countOfAll(
  { changes, slots }: View,
  { rows, before, mark, descending }: Step,
  side: Side,
  work: Work,
): number {
  const { size } = changes.base;
  const { there, former } = changes.lastOf(slots);
  const key = mark.position >> 1;
  const [from, to] = [before(key), before(key + (mark.position % 2))];
  const ofBase = (descending ? size - to : from) + countOf(rows.subarray(from, to), side, work);
  return ofBase - countOf(former, side, work) + countOf(there, (slot) => side(size + slot), work);
}

/** How many of the users who match, or of all, come before a place of an order or stand at it. Nobody need have been there. */
export function rankOf(view: View, match: Match | number, order: Order, place: Row, work: Work): number {
  const steps = order.map((step): Step => {
    const axis = axisOf(view.changes, step);
    return { ...axis, mark: axis.markOf(place) };
  });
  const side = sideOf(view.changes.base.size, steps);
  if (typeof match !== 'number') return countOf(match.items, side, work);
  const [first] = steps;
  return first ? countOfAll(view, first, side, work) : 0;
}
