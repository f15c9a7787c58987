import { Base } from './base.ts';
import type { Changed } from './changed.ts';
import { Column } from './column.ts';
import { compareValues, folded, type Value, type Work } from './definition.ts';
import { Texts } from './texts.ts';

/** Where each row of the next base comes from: a row of this one, or (negative) -1 - slot. */
type Sources = Int32Array;

/** A value of changed users that the base may not have. */
interface Fresh {
  readonly value: Value;
  readonly text: string;
}

function sourcesOf(changed: Changed, count: number): Sources {
  const { base, ids, rows, users } = changed;
  const slots = changed.slots(count).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0));
  const sources = new Int32Array(base.size + slots.length);
  let size = 0;
  let row = 0;
  for (const slot of slots) {
    const next = rows[slot] ?? 0;
    while (row < next) sources[size++] = row++;
    if (base.ids[row] === ids[slot]) row++;
    if (users[slot] !== undefined) sources[size++] = -1 - slot;
  }
  while (row < base.size) sources[size++] = row++;
  return sources.slice(0, size);
}

/** The next dictionary, as it grows: values of the present one, and fresh ones between them. */
class Dictionary {
  readonly #column: Column;
  readonly #parts: Buffer[] = [];
  readonly #numbers: number[] = [];
  #runFrom = 0;
  #runTo = 0;
  size = 0;

  constructor(column: Column) {
    this.#column = column;
  }

  keep(place: number): number {
    const { values } = this.#column;
    if (!(values instanceof Texts)) this.#numbers.push(values[place] ?? 0);
    else if (place === this.#runTo) this.#runTo++;
    else this.#endRun(place, place + 1);
    return this.size++;
  }

  add(value: Value): number {
    if (typeof value === 'number') this.#numbers.push(value);
    else {
      this.#endRun(this.#runTo, this.#runTo);
      this.#parts.push(Buffer.from(`${value}\0`));
    }
    return this.size++;
  }

  /** Texts that stay neighbours are copied together. */
  #endRun(from: number, to: number): void {
    const { values } = this.#column;
    if (values instanceof Texts && this.#runTo > this.#runFrom)
      this.#parts.push(values.slice(this.#runFrom, this.#runTo));
    this.#runFrom = from;
    this.#runTo = to;
  }

  values(): Texts | Float64Array {
    if (!(this.#column.values instanceof Texts)) return Float64Array.from(this.#numbers);
    this.#endRun(0, 0);
    return new Texts(Buffer.concat(this.#parts), this.size);
  }
}

function freshValues(changed: Changed, field: string, sources: Sources): Fresh[] {
  const { kind } = changed.base.column(field);
  const { places, values } = changed.column(field);
  const used = new Set<Value>();
  for (const source of sources) {
    const value = source < 0 ? values[places[-1 - source] ?? 0] : undefined;
    if (value !== undefined) used.add(value);
  }
  const exactly = kind === 'text' ? 'exact' : kind;
  return Array.from(used, (value) => ({ value, text: folded(value) })).sort((a, b) =>
    compareValues(exactly, a.value, a.text, b.value, b.text),
  );
}

/** By place: 1 if a user still has the value. */
function usedPlaces({ places, size }: Column, sources: Sources): Uint8Array {
  const used = new Uint8Array(size + 1);
  for (const source of sources) if (source >= 0) used[places[source] ?? 0] = 1;
  return used;
}

function mergeColumn(changed: Changed, field: string, sources: Sources): Column {
  const column = changed.base.column(field);
  const own = changed.column(field);
  const used = usedPlaces(column, sources);
  const firsts = column.firsts();
  const dictionary = new Dictionary(column);
  const moved = new Uint32Array(column.size + 1);
  const placeOf = new Map<Value | undefined, number>();
  const equals: number[] = [];
  let lastGroup = -1;
  let lastText = '';
  let old = 0;
  // A group has the values that sort equal: those at an odd position, or fresh ones with one folded text between two of the base.
  const enter = (group: number, text: string, place: number): number => {
    if (column.kind === 'text' && group === lastGroup && (group % 2 === 1 || text === lastText)) equals.push(place);
    lastGroup = group;
    lastText = text;
    return place;
  };
  const keepTo = (end: number): void => {
    for (; old < end; old++) if (used[old]) moved[old] = enter(2 * (firsts[old] ?? 0) + 1, '', dictionary.keep(old));
  };
  for (const { value, text } of freshValues(changed, field, sources)) {
    const { place, isThere } = column.find(value);
    keepTo(place);
    if (isThere) used[place] = 1;
    else placeOf.set(value, enter(groupOf(column, firsts, place, text), text, dictionary.add(value)));
    if (isThere) placeOf.set(value, -1 - place);
  }
  keepTo(column.size);
  moved[column.size] = dictionary.size;
  const placeOfValue = own.values.map((value) => {
    const place = value === undefined ? -1 - column.size : (placeOf.get(value) ?? 0);
    return place < 0 ? (moved[-1 - place] ?? 0) : place;
  });
  const places = sources.map((source) =>
    source >= 0 ? (moved[column.places[source] ?? 0] ?? 0) : (placeOfValue[own.places[-1 - source] ?? 0] ?? 0),
  );
  return new Column(column.kind, dictionary.values(), Uint32Array.from(places), Uint32Array.from(equals));
}

/** The group of a value that would be at a place. */
function groupOf(column: Column, firsts: Uint32Array, place: number, text: string): number {
  for (const beside of [place - 1, place]) {
    const value = beside >= 0 ? column.valueAt(beside) : undefined;
    if (value !== undefined && folded(value) === text) return 2 * (firsts[beside] ?? 0) + 1;
  }
  return 2 * place;
}

/** The base of the users as they are after the first so many slots. Values that nobody has any more are not in it. */
export function mergeBase(changed: Changed, count: number, work?: Work): Base {
  const { base } = changed;
  work?.tick();
  const sources = sourcesOf(changed, count);
  const ids = Float64Array.from(sources, (source) => (source < 0 ? changed.ids[-1 - source] : base.ids[source]) ?? 0);
  const columns = new Map<string, Column>();
  for (const field of Object.keys(base.kinds)) {
    work?.tick();
    columns.set(field, mergeColumn(changed, field, sources));
  }
  return new Base(base.kinds, sources.length, Object.keys(base.kinds), {
    ids: () => ids,
    column: (field) => columns.get(field),
  });
}
