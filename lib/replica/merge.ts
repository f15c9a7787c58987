/** The next base, made in steps: others meanwhile go on with the base that there is. */
import { Base, columnsOf } from './base.ts';
import type { Changed } from './changed.ts';
import { Column } from './column.ts';
import { compareValues, folded, ignoresCase, type Value } from './definition.ts';
import { TICKS, type View } from './match.ts';
import { storedPlaces } from './places.ts';
import type { Steps } from './steps.ts';
import { type Fold, isAscii } from './text.ts';
import { type Others, Texts } from './texts.ts';

/** A step looks up so many texts, or passes 65,536 rows. */
const LOOKED_UP = 512;

/** What a merge passes of a column. */
interface Passed {
  readonly column: Column;
  /** The places of some rows of the base. */
  readonly places: Uint32Array;
  /** Where rows of the next base come from: one of these places, or -1 - slot. */
  readonly sources: Sources;
  /** The changed users. */
  readonly slots: Uint32Array;
}

/** Where something of the next base comes from: a row or place of this one, -1 - slot, or -1 - a fresh value. */
type Sources = Int32Array;

function* rowSources(changed: Changed, slots: Uint32Array): Steps<Sources> {
  const { base, ids, positions, users } = changed;
  const sources = new Int32Array(base.size + slots.length);
  let size = 0;
  let row = 0;
  const slotOf = new Map(Array.from(slots, (slot) => [ids[slot] ?? 0, slot]));
  yield;
  // Numbers alone are sorted in a tenth of the time that a comparison takes.
  for (const [i, id] of Float64Array.from(slotOf.keys()).sort().entries()) {
    if ((i & TICKS) === 0) yield;
    const slot = slotOf.get(id) ?? 0;
    const position = positions[slot] ?? 0;
    while (row < position >> 1) sources[size++] = row++;
    row += position % 2;
    if (users[slot] !== undefined) sources[size++] = -1 - slot;
  }
  while (row < base.size) sources[size++] = row++;
  return sources.subarray(0, size);
}

/** A value that changed users have. */
interface Fresh {
  readonly value: Value;
  readonly text: string;
  /** Among the changed users' values. */
  readonly place: number;
  /** Among those of the base: `Column.positionOf`, exactly. */
  readonly position: number;
}

/** The values that changed users have, as a column sorts them. */
function* freshValues(changed: Changed, { column, slots }: Passed, field: string, behind: string): Steps<Fresh[]> {
  yield;
  const { places, values, texts } = yield* changed.filling(field, behind);
  yield;
  const kind = ignoresCase(column.kind) ? 'exact' : column.kind;
  const compare = (a: Fresh, b: Fresh) =>
    a.position - b.position || compareValues(kind, a.value, a.text, b.value, b.text);
  const fresh: Fresh[] = [];
  let some: Fresh[] = [];
  for (const place of new Set(slots.map((slot) => places[slot] ?? 0))) {
    const [value, text = ''] = [values[place], texts[place]];
    if (value === undefined) continue;
    if (some.push({ value, text, place, position: column.positionOf(value, text, true) }) < LOOKED_UP) continue;
    fresh.push(...some.sort(compare));
    some = [];
    yield;
  }
  // What is sorted in parts takes a third of the time.
  return [...fresh, ...some].sort(compare);
}

/** The values of the next dictionary: those that somebody still has, and fresh ones among them. */
function* valueSources({ column, places, sources: rows }: Passed, fresh: readonly Fresh[]): Steps<Sources> {
  const used = new Uint8Array(column.size + 1);
  for (let i = 0; i < rows.length; i++) {
    if ((i & TICKS) === 0) yield;
    const row = rows[i] ?? 0;
    if (row >= 0) used[places[row] ?? 0] = 1;
  }
  for (const { position } of fresh) if (position % 2 === 1) used[position >> 1] = 1;
  const sources = new Int32Array(column.size + fresh.length);
  let size = 0;
  let next = 0;
  for (let place = 0; place <= column.size; place++) {
    if ((place & TICKS) === 0) yield;
    for (let value = fresh[next]; value && value.position <= 2 * place + 1; value = fresh[++next])
      if (value.position % 2 === 0) sources[size++] = -1 - next;
    if (used[place] && place < column.size) sources[size++] = place;
  }
  return sources.subarray(0, size);
}

/** The texts of some sources, one after the other: neighbours are copied together. */
function* gatherTexts(texts: Texts, sources: Sources, added: (i: number) => string): Steps<Texts> {
  const bytesOf = (source: number) => Buffer.from(`${added(-1 - source)}\0`);
  const ends = new Uint32Array(sources.length);
  let size = 0;
  for (let i = 0; i < sources.length; i++) {
    if ((i & TICKS) === 0) yield;
    const source = sources[i] ?? 0;
    size += source < 0 ? bytesOf(source).length : (texts.ends[source] ?? 0) + 1 - texts.start(source);
    ends[i] = size - 1;
  }
  const bytes = Buffer.alloc(size);
  yield;
  for (let i = 0, done = 0; i < sources.length; i++) {
    if ((i & TICKS) === 0) yield;
    const source = sources[i] ?? 0;
    if (source >= 0 && sources[i + 1] === source + 1 && ((i + 1) & TICKS) !== 0) continue;
    const end = (ends[i] ?? 0) + 1;
    if (source < 0) bytes.set(bytesOf(source), done);
    else texts.bytes.copy(bytes, done, (texts.ends[source] ?? 0) + 1 - (end - done), (texts.ends[source] ?? 0) + 1);
    done = end;
  }
  return new Texts(bytes, sources.length, texts.fold, ends);
}

/** The texts beyond ASCII in a form. */
function* gatherOthers(known: Others, form: Fold, sources: Sources, fresh: readonly Fresh[]): Steps<Others> {
  const places = new Uint32Array(known.places.length + fresh.length);
  const own = new Int32Array(places.length);
  const textOf = (i: number) => String(fresh[i]?.value);
  let [count, next] = [0, 0];
  for (let i = 0; i < sources.length; i++) {
    if ((i & TICKS) === 0) yield;
    const source = sources[i] ?? 0;
    while ((known.places[next] ?? source) < source) next++;
    const isOther = source < 0 ? !isAscii(textOf(-1 - source)) : known.places[next] === source;
    places[count] = i;
    own[count] = source < 0 ? source : next;
    count += Number(isOther);
  }
  const texts = yield* gatherTexts(known.texts, own.subarray(0, count), (i) => form(textOf(i)));
  return { places: places.subarray(0, count), texts };
}

function* gather({ values }: Column, sources: Sources, fresh: readonly Fresh[]): Steps<Texts | Float64Array> {
  if (!(values instanceof Texts)) {
    return Float64Array.from(sources, (source) =>
      source < 0 ? Number(fresh[-1 - source]?.value) : (values[source] ?? 0),
    );
  }
  const next = yield* gatherTexts(values, sources, (i) => String(fresh[i]?.value));
  // Who has searched will search again, and should not wait until all is folded anew.
  for (const [form, others] of values.made) next.made.set(form, yield* gatherOthers(others, form, sources, fresh));
  return next;
}

/** The places whose text folds as the one before: known of two that have been neighbours, or have one fold. */
function* equalsOf(column: Column, sources: Sources, fresh: readonly Fresh[]): Steps<Uint32Array> {
  if (!ignoresCase(column.kind)) return new Uint32Array(0);
  const firsts = column.firsts();
  const textOf = (source: number) =>
    source < 0 ? fresh[-1 - source]?.text : folded(column.kind, column.valueAt(source) ?? '');
  const isEqual = (a: number, b: number) => (a >= 0 && b >= 0 ? firsts[a] === firsts[b] : textOf(a) === textOf(b));
  const equals: number[] = [];
  for (let i = 1; i < sources.length; i++) {
    if ((i & TICKS) === 0) yield;
    if (isEqual(sources[i - 1] ?? 0, sources[i] ?? 0)) equals.push(i);
  }
  return Uint32Array.from(equals);
}

/** The next column, and the places of the rows that were passed. */
interface Merged {
  readonly values: Texts | Float64Array;
  readonly places: Uint32Array;
  readonly equals: Uint32Array;
}

function* mergePlaces(changed: Changed, passed: Passed, field: string, behind = ''): Steps<Merged> {
  const { column, sources: rows } = passed;
  const fresh = yield* freshValues(changed, passed, field, behind);
  const own = changed.column(field, behind);
  const sources = yield* valueSources(passed, fresh);
  const moved = new Uint32Array(column.size + 1).fill(sources.length, column.size);
  const added = new Uint32Array(own.values.length).fill(sources.length);
  for (let place = 0; place < sources.length; place++) {
    if ((place & TICKS) === 0) yield;
    const source = sources[place] ?? 0;
    if (source >= 0) moved[source] = place;
    else added[fresh[-1 - source]?.place ?? 0] = place;
  }
  for (const { place, position } of fresh) if (position % 2 === 1) added[place] = moved[position >> 1] ?? 0;
  const places = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    if ((i & TICKS) === 0) yield;
    const row = rows[i] ?? 0;
    places[i] = (row < 0 ? added[own.places[-1 - row] ?? 0] : moved[passed.places[row] ?? 0]) ?? 0;
  }
  return { values: yield* gather(column, sources, fresh), places, equals: yield* equalsOf(column, sources, fresh) };
}

function* mergeColumn(
  changed: Changed,
  sources: Sources,
  slots: Uint32Array,
  field: string,
  behind = '',
): Steps<Column> {
  const column = changed.base.column(field, behind);
  yield;
  yield* column.unpacking();
  const passed = { column, places: column.places, sources, slots };
  const { values, places, equals } = yield* mergePlaces(changed, passed, field, behind);
  return new Column(column.kind, values, places, equals);
}

/** Where rows go: by row of the base, and by slot. */
interface Moves {
  readonly size: number;
  readonly rows: Uint32Array;
  readonly slots: ReadonlyMap<number, number>;
}

/** Of a row that goes nowhere. */
const GONE = 0xffff_ffff;

function* movesOf(base: Base, sources: Sources): Steps<Moves> {
  const rows = new Uint32Array(base.size).fill(GONE);
  const slots = new Map<number, number>();
  for (let i = 0; i < sources.length; i++) {
    if ((i & TICKS) === 0) yield;
    const source = sources[i] ?? 0;
    if (source < 0) slots.set(-1 - source, i);
    else rows[source] = i;
  }
  return { size: sources.length, rows, slots };
}

/** The rows of the next base that have a value in a column, ascending, and where it comes from. */
function* movedTo(rows: Uint32Array, slots: readonly number[], moves: Moves) {
  const slotAt = new Map(slots.map((slot) => [moves.slots.get(slot), slot]));
  const added = slots.flatMap((slot) => moves.slots.get(slot) ?? []).sort((a, b) => a - b);
  const to = new Uint32Array(rows.length + added.length);
  const sources = new Int32Array(to.length);
  let count = 0;
  for (let i = 0, k = 0; i < rows.length || k < added.length; ) {
    if (((i + k) & TICKS) === 0) yield;
    const kept = i < rows.length ? (moves.rows[rows[i] ?? 0] ?? GONE) : GONE;
    if (kept === GONE && i++ < rows.length) continue;
    const other = added[k] ?? GONE;
    const isKept = kept < other;
    to[count] = isKept ? kept : other;
    sources[count++] = isKept ? i++ : -1 - (slotAt.get(added[k++]) ?? 0);
  }
  return { rows: to.subarray(0, count), sources: sources.subarray(0, count) };
}

/** Only rows that have a value are passed. */
function* mergeMembers(changed: Changed, moves: Moves, name: string): Steps<Column> {
  const column = changed.base.ofName(name);
  // Not the places of all: of many columns they would be kept.
  if (column.values instanceof Texts) yield* column.values.unpacking();
  const former = yield* column.having();
  const slots = changed.having(name).filter((slot) => moves.slots.has(slot));
  const { rows, sources } = yield* movedTo(former.rows, slots, moves);
  const passed = { column, places: former.places, sources, slots: Uint32Array.from(slots) };
  const { values, places, equals } = yield* mergePlaces(changed, passed, name);
  const size = values instanceof Texts ? values.size : values.length;
  return new Column(column.kind, values, storedPlaces(rows, places, moves.size, size), equals);
}

/** The base of the users as they are now. Values that nobody has any more are not in it. */
export function* mergeBase({ changes, slots: count }: View): Steps<Base> {
  const { base, ids } = changes;
  const slots = changes.slots(count);
  const rows = yield* rowSources(changes, slots);
  const nextIds = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    if ((i & TICKS) === 0) yield;
    const row = rows[i] ?? 0;
    nextIds[i] = (row < 0 ? ids[-1 - row] : base.ids[row]) ?? 0;
  }
  const columns = new Map<string, Column>();
  for (const field of columnsOf(base.kinds)) columns.set(field, yield* mergeColumn(changes, rows, slots, field));
  const moves = yield* movesOf(base, rows);
  for (const name of [...new Set([...base.names, ...changes.names])].sort()) {
    const column = yield* mergeMembers(changes, moves, name);
    if (column.size > 0) columns.set(name, column);
  }
  const parts = { ids: () => nextIds, column: (key: string) => columns.get(key) };
  const next = new Base(base.kinds, rows.length, [...columns.keys()], parts);
  // Who has asked for an order will ask for it again, and should not wait until it is made.
  for (const per of base.multiples) {
    next.keysPer(per);
    yield;
  }
  for (const field of columnsOf(base.kinds)) {
    if (base.column(field).isSorted) yield* next.column(field).sorting();
    if (base.column(field).isCut) yield* next.column(field).cutting();
  }
  for (const [field, behind] of base.tails)
    columns.set(behind + field, yield* mergeColumn(changes, rows, slots, field, behind));
  return next;
}
