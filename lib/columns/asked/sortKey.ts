import type { Overlay } from '../changed/overlay.ts';
import type { OverlayColumn } from '../changed/overlayColumn.ts';
import type { Column, Sorted } from '../stored/column.ts';
import { folded, type OrderStep, type Row, type Value, valueOfColumn } from '../values/definition.ts';
import type { Work } from '../work/chunks.ts';
import { ticked } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';

/** Where a user would be on a sort key, who need not be there. */
export interface Mark {
  readonly position: number;
  /** Below 0 for a slot that comes before. */
  compare(slot: number): number;
}

/**
 * One step of an order. Users are sorted by their positions on it. Those with the same odd position are equal. Even
 * positions are between two of the base: only changed users have them, and those with the same one are compared. Most orders are decided by
 * their first step, so arrays are made when they are needed.
 */
export interface SortKey {
  readonly descending: boolean;
  /** All positions are below it. */
  readonly end: number;
  /** The position of a row is 2 · key + 1. */
  keyOf(row: number): number;
  /** By row. Not made for few items, unless they are there. It is not held, so that the columns of a long order are forgotten one after the other. */
  keysFor(items: number): Uint32Array | undefined;
  /** By key. */
  rows(): Uint32Array;
  /** How many rows have lower keys. */
  before(key: number): number;
  position(slot: number): number;
  compare(slotA: number, slotB: number): number;
  markOf(place: Row): Mark;
  /** That of users with a key. */
  markAt(key: number): Mark;
}

/** Where at most one row of this number is looked at, an array with the keys of all is not made for it. */
const FEWER_ROWS = 16;

function sortKeyOfIds(overlay: Overlay, per: number, descending: boolean, work: Work): SortKey {
  const { base, ids, positions } = overlay;
  // A row that is not there is in no multiple: NaN equals none.
  const multiple = (id = Number.NaN) => Math.floor(id / per);
  const keys = ticked(base.keying(per), work);
  /** @param own the position of the id itself */
  const positionOf = (id: number, own: number): number => {
    if (per === 1) return own;
    const same = (row: number) => multiple(base.ids[row]) === multiple(id);
    const row = same(own >> 1) ? own >> 1 : (own >> 1) - 1;
    return same(row) ? 2 * (keys[row] ?? 0) + 1 : own;
  };
  const markOf = ({ id }: Row): Mark => ({
    position: positionOf(id, overlay.positionOf(id)),
    compare: (slot) => multiple(ids[slot]) - multiple(id),
  });
  return {
    descending,
    end: 2 * base.size + 1,
    keyOf: (row) => keys[row] ?? 0,
    keysFor: () => keys,
    rows: () => ticked(base.keying(1), work),
    before: (key) => (keys[key] === key ? key : firstNot(base.size, (row) => (keys[row] ?? 0) < key)),
    position: (slot) => positionOf(ids[slot] ?? 0, positions[slot] ?? 0),
    compare: (a, b) => multiple(ids[a]) - multiple(ids[b]),
    markOf,
    markAt: (key) => markOf({ id: base.ids[key] ?? 0 }),
  };
}

class SortKeyOfColumn implements SortKey {
  readonly descending: boolean;
  readonly end: number;
  readonly #overlay: Overlay;
  readonly #column: Column;
  readonly #property: string;
  readonly #work: Work;
  #sorted: Sorted | undefined;
  #own: OverlayColumn | undefined;

  constructor(overlay: Overlay, { property, descending }: OrderStep, work: Work) {
    this.#column = overlay.base.column(property);
    this.descending = descending;
    this.end = 2 * this.#column.size + 2;
    this.#overlay = overlay;
    this.#property = property;
    this.#work = work;
  }

  get #ofOverlay(): OverlayColumn {
    this.#own ??= ticked(this.#overlay.filling(this.#property), this.#work);
    return this.#own;
  }

  /** Only that of the first step is asked for. */
  get #order(): Sorted {
    this.#sorted ??= ticked(this.#column.sorting(), this.#work);
    return this.#sorted;
  }

  keyOf(row: number): number {
    return this.#column.keyOf(row);
  }

  keysFor(items: number): Uint32Array | undefined {
    const isFew = items * FEWER_ROWS < this.#overlay.base.size;
    return this.#column.keys ?? (isFew ? undefined : ticked(this.#column.keying(), this.#work));
  }

  rows(): Uint32Array {
    return this.#order.rows;
  }

  before(key: number): number {
    const { rows, starts } = this.#order;
    return starts[key] ?? rows.length;
  }

  position(slot: number): number {
    return this.#ofOverlay.position(this.#column, slot);
  }

  compare(slotA: number, slotB: number): number {
    return this.#ofOverlay.compare(slotA, slotB);
  }

  #mark(value: Value | undefined, positionOf: (text: string) => number): Mark {
    const text = folded(this.#column.kind, value ?? '');
    const position = positionOf(text);
    return { position, compare: (slot) => this.#ofOverlay.compareTo(slot, position, value, text) };
  }

  markOf(place: Row): Mark {
    const value = valueOfColumn(this.#overlay.base.kinds, place, this.#property);
    return this.#mark(value, (text) => this.#column.positionOf(value, text));
  }

  markAt(key: number): Mark {
    return this.#mark(this.#column.valueAt(key), () => 2 * key + 1);
  }
}

/** The sort key of a step. */
export const sortKeyOf = (overlay: Overlay, step: OrderStep, work: Work): SortKey =>
  step.property === 'id'
    ? sortKeyOfIds(overlay, step.per ?? 1, step.descending, work)
    : new SortKeyOfColumn(overlay, step, work);
