import type { Changed } from './changed.ts';
import { folded, type OrderStep, type Row, type Value, valueIn } from './definition.ts';
import { firstNot } from './texts.ts';

/** Where a user would be on an axis, who need not be there. */
export interface Mark {
  readonly position: number;
  /** Below 0 for a slot that comes before. */
  compare(slot: number): number;
}

/**
 * One step of an order. Users are sorted by their positions on it. Those with the same odd position are equal. Even
 * positions are between two of the base: only changed users have them, and those with the same one are compared.
 */
export interface Axis {
  readonly descending: boolean;
  /** All positions are below it. */
  readonly end: number;
  /** By row: the position is 2 · key + 1. */
  readonly keys: Uint32Array;
  /** By key. */
  readonly rows: Uint32Array;
  /** How many rows have lower keys. */
  before(key: number): number;
  position(slot: number): number;
  compare(slotA: number, slotB: number): number;
  markOf(place: Row): Mark;
  /** That of users with a key. */
  markAt(key: number): Mark;
}

function axisOfIds(changed: Changed, per: number, descending: boolean): Axis {
  const { base, ids, positions } = changed;
  // What is not there is in no multiple: NaN equals none.
  const multiple = (id = Number.NaN) => Math.floor(id / per);
  const keys = base.keysPer(per);
  /** @param own the position of the id itself */
  const positionOf = (id: number, own: number): number => {
    if (per === 1) return own;
    const same = (row: number) => multiple(base.ids[row]) === multiple(id);
    const row = same(own >> 1) ? own >> 1 : (own >> 1) - 1;
    return same(row) ? 2 * (keys[row] ?? 0) + 1 : own;
  };
  const position = (slot: number) => positionOf(ids[slot] ?? 0, positions[slot] ?? 0);
  const markOf = ({ id }: Row): Mark => ({
    position: positionOf(id, changed.positionOf(id)),
    compare: (slot) => multiple(ids[slot]) - multiple(id),
  });
  const compare = (a: number, b: number) => multiple(ids[a]) - multiple(ids[b]);
  const before = (key: number) => (keys[key] === key ? key : firstNot(base.size, (row) => (keys[row] ?? 0) < key));
  const markAt = (key: number) => markOf({ id: base.ids[key] ?? 0 });
  const [end, rows] = [2 * base.size + 1, base.keysPer(1)];
  return { descending, end, keys, rows, before, position, compare, markOf, markAt };
}

/** The axis of a step. */
export function axisOf(changed: Changed, { property, per = 1, descending }: OrderStep): Axis {
  if (property === 'id') return axisOfIds(changed, per, descending);
  const column = changed.base.column(property);
  const own = changed.column(property);
  const { rows, starts } = column.sorted;
  const mark = (value: Value | undefined, positionOf: (text: string) => number): Mark => {
    const text = folded(column.kind, value ?? '');
    const position = positionOf(text);
    return { position, compare: (slot) => own.compareTo(slot, position, value, text) };
  };
  return {
    descending,
    end: 2 * column.size + 2,
    keys: column.keys,
    rows,
    before: (key) => starts[key] ?? rows.length,
    position: (slot) => own.position(column, slot),
    compare: (a, b) => own.compare(a, b),
    markOf(place) {
      const value = valueIn(place, property);
      return mark(value, (text) => column.positionOf(value, text));
    },
    markAt: (key) => mark(column.valueAt(key), () => 2 * key + 1),
  };
}
