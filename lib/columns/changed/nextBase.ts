/** The next base, made in steps: others meanwhile go on with the base that there is. */

import { Base, columnsOf } from '../stored/base.ts';
import { type StoredCodes, storedCodes } from '../stored/codes.ts';
import { Column } from '../stored/column.ts';
import { Texts } from '../stored/texts.ts';
import { comparing, ignoresCase, type Kinds } from '../values/definition.ts';
import { inChunks, type Steps } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';
import { equalsOf, GONE, interleaved, mergedValues, movesOf, sorted } from './merge.ts';
import type { Overlay, View } from './overlay.ts';
import type { OverlayColumn } from './overlayColumn.ts';

/** Where rows of the next base come from: rows of this one, and behind them the slots of changed users. */
function* rowSources({ overlay, slots: count }: View): Steps<Uint32Array> {
  const { base, ids, positions, users } = overlay;
  const slots = overlay.slots(count);
  const stays = new Uint8Array(base.size).fill(1);
  for (const slot of slots) if ((positions[slot] ?? 0) % 2 === 1) stays[(positions[slot] ?? 0) >> 1] = 0;
  const added = yield* sorted(
    slots.filter((slot) => users[slot] !== undefined),
    (slot) => positions[slot] ?? 0,
    (a, b) => (ids[a] ?? 0) - (ids[b] ?? 0),
  );
  return yield* interleaved(stays, added);
}

/** The parts of a column that a compaction passes. */
interface Passed {
  readonly column: Column;
  readonly own: OverlayColumn;
  /** The codes of some rows of the base. */
  readonly codes: Uint32Array;
  /** Where rows of the next base come from: one of these codes, or behind them a slot. */
  readonly rows: Uint32Array;
}

/** Where the next values come from: those that somebody still has, and those of changed users among them. And where codes go. */
function* valueSources({ column, own, codes, rows }: Passed): Steps<{ sources: Uint32Array; moves: Uint32Array }> {
  const stays = new Uint8Array(column.size);
  const isOwn = new Uint8Array(own.values.length);
  yield* inChunks(rows.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const row = rows[i] ?? 0;
      if (row < codes.length) stays[codes[row] ?? 0] = 1;
      else isOwn[own.codes[row - codes.length] ?? 0] = 1;
    }
  });
  const compare = comparing(ignoresCase(column.kind) ? 'exact' : column.kind);
  const fresh = yield* sorted(
    // The first code is that of no value.
    Uint32Array.from(isOwn.keys()).filter((code) => code > 0 && isOwn[code] === 1),
    (code) => own.exact(column, code),
    (a, b) => compare(own.values[a], own.texts[a] ?? '', own.values[b], own.texts[b] ?? ''),
  );
  for (const position of fresh.positions) if (position % 2 === 1) stays[position >> 1] = 1;
  const sources = yield* interleaved(stays, fresh);
  const moves = yield* movesOf(sources, column.size + isOwn.length);
  for (const [i, position] of fresh.positions.entries())
    if (position % 2 === 1) moves[column.size + (fresh.numbers[i] ?? 0)] = moves[position >> 1] ?? 0;
  moves[column.size] = sources.length;
  return { sources, moves };
}

/** @param stored how the next codes are kept, by the number of values */
function* passedColumn(
  passed: Passed,
  stored = (codes: Uint32Array, _size: number): Uint32Array | StoredCodes => codes,
): Steps<Column> {
  const { column, own, codes, rows } = passed;
  const { sources, moves } = yield* valueSources(passed);
  const next = new Uint32Array(rows.length);
  yield* inChunks(rows.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const row = rows[i] ?? 0;
      const code = row < codes.length ? codes[row] : column.size + (own.codes[row - codes.length] ?? 0);
      next[i] = moves[code ?? 0] ?? 0;
    }
  });
  const values = yield* mergedValues(column, own, sources);
  const equals = yield* equalsOf(column, own, sources);
  return new Column(column.kind, values, stored(next, sources.length), equals);
}

function* nextColumn(overlay: Overlay, rows: Uint32Array, field: string): Steps<Column> {
  const column = yield* overlay.base.opening(field);
  yield;
  yield* column.unpacking();
  const own = yield* overlay.filling(field);
  return yield* passedColumn({ column, own, codes: yield* column.coding(), rows });
}

/** Only rows that have a value are passed. */
function* nextMembers(overlay: Overlay, moves: Uint32Array, size: number, name: string): Steps<Column> {
  const { base, positions } = overlay;
  const column = base.ofName(name);
  // Not the codes of all: of many columns they would be kept.
  if (column.values instanceof Texts) yield* column.values.unpacking();
  const own = yield* overlay.filling(name);
  const members = yield* overlay.members();
  const { rows, codes } = yield* column.having();
  const stays = new Uint8Array(rows.length);
  yield* inChunks(rows.length, (from, to) => {
    for (let i = from; i < to; i++) stays[i] = Number(moves[rows[i] ?? 0] !== GONE);
  });
  const moved = (slot: number) => moves[base.size + slot] ?? GONE;
  const before = (slot: number) => firstNot(rows.length, (i) => (rows[i] ?? 0) < (positions[slot] ?? 0) >> 1);
  const added = yield* sorted(
    Uint32Array.from(members.get(name) ?? []).filter((slot) => moved(slot) !== GONE),
    (slot) => 2 * before(slot),
    (a, b) => moved(a) - moved(b),
  );
  const sources = yield* interleaved(stays, added);
  const next = new Uint32Array(sources.length);
  yield* inChunks(sources.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const source = sources[i] ?? 0;
      next[i] = source < rows.length ? (moves[rows[source] ?? 0] ?? 0) : moved(source - rows.length);
    }
  });
  return yield* passedColumn({ column, own, codes, rows: sources }, (to, none) => storedCodes(next, to, size, none));
}

function* nextIds({ base, ids }: Overlay, rows: Uint32Array): Steps<Float64Array> {
  const next = new Float64Array(rows.length);
  yield* inChunks(rows.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const row = rows[i] ?? 0;
      next[i] = (row < base.size ? base.ids[row] : ids[row - base.size]) ?? 0;
    }
  });
  return next;
}

/** Not a part of the compaction, whose functions have the base before: with one of them, the next one would keep it in memory. */
const baseOf = (kinds: Kinds, ids: Float64Array, columns: ReadonlyMap<string, Column>): Base =>
  new Base(kinds, ids.length, [...columns.keys()], { ids: () => ids, column: (key) => columns.get(key) });

/** The base of the users as they are now. Values that nobody has any more are not in it. */
export function* compactedBase(view: View): Steps<Base> {
  const { overlay } = view;
  const { base } = overlay;
  const rows = yield* rowSources(view);
  const ids = yield* nextIds(overlay, rows);
  const columns = new Map<string, Column>();
  for (const field of columnsOf(base.kinds)) columns.set(field, yield* nextColumn(overlay, rows, field));
  const moves = yield* movesOf(rows, base.size + view.slots);
  const members = yield* overlay.members();
  for (const name of [...new Set([...base.names, ...members.keys()])].sort()) {
    const column = yield* nextMembers(overlay, moves, rows.length, name);
    if (column.size > 0) columns.set(name, column);
  }
  const next = baseOf(base.kinds, ids, columns);
  // An order that was asked for is asked for again, and nobody should wait until it is made.
  for (const per of base.multiples) yield* next.keying(per);
  for (const field of columnsOf(base.kinds)) {
    if (base.column(field).isSorted) yield* next.column(field).sorting();
    if (base.column(field).isTokenized) yield* next.column(field).tokenizing();
  }
  for (const field of base.derived) columns.set(field, yield* nextColumn(overlay, rows, field));
  return next;
}
