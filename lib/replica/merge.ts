import { Base } from './base.ts';
import type { Changed } from './changed.ts';
import { Column } from './column.ts';
import { compareValues, folded, type Value, type Work } from './definition.ts';
import { TICKS, type View } from './match.ts';
import { Texts } from './texts.ts';

/** Where something of the next base comes from: a row or place of this one, -1 - slot, or -1 - a fresh value. */
type Sources = Int32Array;

function rowSources(changed: Changed, slots: Uint32Array): Sources {
  const { base, ids, positions, users } = changed;
  const sources = new Int32Array(base.size + slots.length);
  let size = 0;
  let row = 0;
  for (const slot of slots.toSorted((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))) {
    const position = positions[slot] ?? 0;
    while (row < position >> 1) sources[size++] = row++;
    row += position % 2;
    if (users[slot] !== undefined) sources[size++] = -1 - slot;
  }
  while (row < base.size) sources[size++] = row++;
  return sources.slice(0, size);
}

interface Fresh {
  readonly value: Value;
  readonly text: string;
}

/** The values that changed users have, as a column sorts them. */
function freshValues(changed: Changed, field: string, slots: Uint32Array): Fresh[] {
  const { kind } = changed.base.column(field);
  const { places, values, texts } = changed.column(field);
  const used = new Set(slots.map((slot) => places[slot] ?? 0));
  return [...used]
    .flatMap((place) => {
      const value = values[place];
      return value === undefined ? [] : { value, text: texts[place] ?? '' };
    })
    .sort((a, b) => compareValues(kind === 'text' ? 'exact' : kind, a.value, a.text, b.value, b.text));
}

/** The values of the next dictionary: those that somebody still has, and fresh ones among them. */
function valueSources(column: Column, rows: Sources, fresh: readonly Fresh[]): Sources {
  const used = new Uint8Array(column.size + 1);
  for (const row of rows) if (row >= 0) used[column.places[row] ?? 0] = 1;
  const sources = new Int32Array(column.size + fresh.length);
  let size = 0;
  let place = 0;
  const keepTo = (end: number) => {
    for (; place < end; place++) if (used[place]) sources[size++] = place;
  };
  for (const [i, { value, text }] of fresh.entries()) {
    const position = column.positionOf(value, text, true);
    keepTo(position >> 1);
    if (position % 2 === 1) used[position >> 1] = 1;
    else sources[size++] = -1 - i;
  }
  keepTo(column.size);
  return sources.slice(0, size);
}

function gather({ values }: Column, sources: Sources, fresh: readonly Fresh[]): Texts | Float64Array {
  if (!(values instanceof Texts)) {
    return Float64Array.from(sources, (source) =>
      source < 0 ? Number(fresh[-1 - source]?.value) : (values[source] ?? 0),
    );
  }
  const added = fresh.map(({ value }) => Buffer.from(`${value}\0`));
  const bytes = Buffer.allocUnsafe(added.reduce((sum, { length }) => sum + length, values.bytes.length));
  let size = 0;
  for (const source of sources) {
    const from = source < 0 ? (added[-1 - source] ?? values.bytes) : values.bytes;
    const end = source < 0 ? from.length - 1 : (values.ends[source] ?? 0);
    for (let at = source < 0 ? 0 : values.start(source); at <= end; at++) bytes[size++] = from[at] ?? 0;
  }
  return new Texts(Buffer.from(bytes.subarray(0, size)), sources.length);
}

/** The places whose text folds as the one before: known of two that have been neighbours, or have one fold. */
function equalsOf(column: Column, sources: Sources, fresh: readonly Fresh[]): Uint32Array {
  if (column.kind !== 'text') return new Uint32Array(0);
  const firsts = column.firsts();
  const textOf = (source: number) => (source < 0 ? fresh[-1 - source]?.text : folded(column.valueAt(source) ?? ''));
  const isEqual = (a: number, b: number) => (a >= 0 && b >= 0 ? firsts[a] === firsts[b] : textOf(a) === textOf(b));
  const equals: number[] = [];
  for (let i = 1; i < sources.length; i++) if (isEqual(sources[i - 1] ?? 0, sources[i] ?? 0)) equals.push(i);
  return Uint32Array.from(equals);
}

function mergeColumn(changed: Changed, field: string, rows: Sources, slots: Uint32Array, work: Work): Column {
  const column = changed.base.column(field);
  const own = changed.column(field);
  const fresh = freshValues(changed, field, slots);
  const sources = valueSources(column, rows, fresh);
  const moved = new Uint32Array(column.size + 1).fill(sources.length, column.size);
  for (const [place, source] of sources.entries()) if (source >= 0) moved[source] = place;
  const added = new Map<Value | undefined, number>([[undefined, sources.length]]);
  for (const { value, text } of fresh) added.set(value, moved[column.positionOf(value, text, true) >> 1] ?? 0);
  for (const [place, source] of sources.entries()) if (source < 0) added.set(fresh[-1 - source]?.value, place);
  const addedPlaces = own.values.map((value) => added.get(value) ?? 0);
  const places = new Uint32Array(rows.length);
  for (const [i, row] of rows.entries()) {
    if ((i & TICKS) === 0) work.tick();
    places[i] = (row < 0 ? addedPlaces[own.places[-1 - row] ?? 0] : moved[column.places[row] ?? 0]) ?? 0;
  }
  return new Column(column.kind, gather(column, sources, fresh), places, equalsOf(column, sources, fresh));
}

/** The base of the users as they are now. Values that nobody has any more are not in it. */
export function mergeBase({ changes, slots: count }: View, work: Work): Base {
  const { base, ids } = changes;
  const slots = changes.slots(count);
  const rows = rowSources(changes, slots);
  const nextIds = new Float64Array(rows.length);
  for (const [i, row] of rows.entries()) {
    if ((i & TICKS) === 0) work.tick();
    nextIds[i] = (row < 0 ? ids[-1 - row] : base.ids[row]) ?? 0;
  }
  const fields = Object.keys(base.kinds);
  const columns = new Map(fields.map((field) => [field, mergeColumn(changes, field, rows, slots, work)]));
  return new Base(base.kinds, rows.length, fields, { ids: () => nextIds, column: (field) => columns.get(field) });
}
