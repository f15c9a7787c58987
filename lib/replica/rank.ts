/** Where a place of an order lies among the users who match. */
import { shiftOf } from './around.ts';
import { type Axis, axisOf, type Mark } from './axis.ts';
import type { Order, Row, Work } from './definition.ts';
import { type Match, TICKS, type View } from './match.ts';

/** An axis, and where the place lies on it. */
interface Step extends Axis {
  readonly mark: Mark;
  /** Of the bins in which changed users are looked up first. */
  readonly shift: number;
}

/** Below 0 for an item before the place, 0 for one that stands there. */
type Side = (item: number) => number;

const sideOf =
  (size: number, steps: readonly Step[]): Side =>
  (item) => {
    for (const { keys, position, bin, mark, shift, descending } of steps) {
      const slot = item - size;
      let difference = slot < 0 ? 0 : bin(slot, shift) - (mark.position >> shift);
      if (difference === 0) {
        const own = slot < 0 ? 2 * (keys[item] ?? 0) + 1 : position(slot);
        difference = own - mark.position || (own % 2 === 0 ? mark.compare(slot) : 0);
      }
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
  const key = mark.position >> 1;
  const [from, to] = [before(key), before(key + (mark.position % 2))];
  let count = (descending ? size - to : from) + countOf(rows.subarray(from, to), side, work);
  for (let slot = 0; slot < slots; slot++) {
    if (!changes.isLast(slot, slots)) continue;
    const former = changes.positions[slot] ?? 0;
    if (former % 2 === 1) count -= Number(side(former >> 1) <= 0);
    if (changes.users[slot] !== undefined) count += Number(side(size + slot) <= 0);
  }
  return count;
}

/** How many of the users who match, or of all, come before a place of an order or stand at it. Nobody need have been there. */
export function rankOf(view: View, match: Match | number, order: Order, place: Row, work: Work): number {
  const steps = order.map((step): Step => {
    const axis = axisOf(view.changes, step);
    return { ...axis, mark: axis.markOf(place), shift: shiftOf(axis.end, view.sizes.bins) };
  });
  const side = sideOf(view.changes.base.size, steps);
  if (typeof match !== 'number') return countOf(match.items, side, work);
  const [first] = steps;
  return first ? countOfAll(view, first, side, work) : 0;
}
