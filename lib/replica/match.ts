import type { Changed } from './changed.ts';
import type { Column } from './column.ts';
import { type Ask, folded, ignoresCase, meets, type Question, testOf, type Value, type Work } from './definition.ts';
import { scratch } from './scratch.ts';
import { firstNot, Texts } from './texts.ts';

/** So many users are looked at one by one, or sorted; so many bins divide more. Tests make both small. */
export interface Sizes {
  readonly few: number;
  readonly bins: number;
}

/** What a replica has: a base, and the first so many slots of what has changed since. */
export interface View {
  readonly changes: Changed;
  readonly slots: number;
  readonly sizes: Sizes;
}

/** Users as items: so many rows of the base, and behind them slots of changed users, each plus the size of the base. */
export interface Match {
  readonly items: Uint32Array;
  readonly rows: number;
}

/** A slice of sorted rows is taken where it is so many times shorter: they are not in the order of the columns. */
const FEWER = 4;

/** A tick is due at each number that has none of these bits. */
export const TICKS = 0xffff;

/** Places from one on, as long as they meet an ask; the end is not included. */
type Run = readonly [from: number, end: number];

function runFrom(column: Column, from: number, ask: Ask): Run {
  const test = testOf(column.kind, ask);
  const meetsAt = (place: number): boolean => {
    const value = column.valueAt(place) ?? '';
    return test(value, folded(column.kind, value));
  };
  return [from, from + firstNot(column.size - from, (i) => meetsAt(from + i))];
}

/** The places that meet an ask, each in one run. The last place is that of users without a value. undefined: by marks. */
function runsOf(column: Column, ask: Ask): readonly Run[] | undefined {
  const { size, kind } = column;
  const bound = (value: Value) =>
    column.lowerBound(
      typeof value === 'number' ? value : folded(kind, value),
      ignoresCase(kind) ? undefined : String(value),
    );
  if ('contains' in ask) return undefined;
  if ('missing' in ask) return [ask.missing ? [size, size + 1] : [0, size]];
  if ('any' in ask) {
    const runs = ask.any.map((value) => runFrom(column, bound(value), { any: [value] }));
    // Values that are equal have one.
    return [...new Map(runs.filter(([from, end]) => from < end).map((run) => [run[0], run])).values()];
  }
  const first = 'startsWith' in ask ? folded(kind, ask.startsWith) : (ask.gte ?? Number.NEGATIVE_INFINITY);
  return [runFrom(column, column.lowerBound(first), ask)];
}

/** Marks the texts that have a part. */
function markPart({ bytes, ends }: Texts, marks: Uint8Array, part: string): void {
  if (part === '') marks.fill(1, 0, ends.length);
  if (part === '' || part.includes('\0') || !part.isWellFormed()) return;
  const key = Buffer.from(part);
  let i = 0;
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, ends[i])) {
    while ((ends[i] ?? 0) < at) i++;
    marks[i] = 1;
  }
}

/** By place: 1 if users with it meet an ask. */
function marksOf({ kind, size, values }: Column, ask: Ask, runs: readonly Run[] | undefined): Uint8Array {
  const marks = scratch.marks(size + 1);
  for (const [from, end] of runs ?? []) marks.fill(1, from, end);
  if ('contains' in ask && values instanceof Texts) markPart(values.folded, marks, folded(kind, ask.contains));
  return marks;
}

/**
 * The rows whose places are marked. Writing each, and counting only these, is twice as fast as asking.
 *
 * @param kept where they are written, from the beginning: it may be the rows themselves
 */
function marked(rows: Uint32Array, kept: Uint32Array, { places }: Column, marks: Uint8Array, work: Work): Uint32Array {
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    if ((i & TICKS) === 0) work.tick();
    const row = rows[i] ?? 0;
    kept[count] = row;
    count += marks[places[row] ?? 0] ?? 0;
  }
  return kept.subarray(0, count);
}

/** How many of the rows have users who have not changed: they are written into `kept`, which may be the rows themselves. */
export function unchanged(
  { changes: { replacedBy }, slots }: View,
  rows: Uint32Array,
  kept: Uint32Array,
  work: Work,
): number {
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    if ((i & TICKS) === 0) work.tick();
    const row = rows[i] ?? 0;
    kept[count] = row;
    count += Number((replacedBy[row] ?? 0) >= slots);
  }
  return count;
}

/** A condition on a column. */
interface Filter {
  readonly column: Column;
  readonly ask: Ask;
  readonly runs: readonly Run[] | undefined;
}

/** How many rows have the places of some runs. */
const countOf = ({ column, runs = [[0, column.size + 1]] }: Filter): number =>
  runs.reduce((sum, [from, end]) => sum + (column.sorted.starts[end] ?? 0) - (column.sorted.starts[from] ?? 0), 0);

/** Writes those of some rows, which follow each other, that have the places of the runs. */
function sliced({ column, runs = [] }: Filter, rows: Uint32Array, out: Uint32Array): Uint32Array {
  const { rows: sorted, starts } = column.sorted;
  const [first = 0, last = -1] = [rows[0], rows.at(-1)];
  let count = 0;
  for (const [from, end] of runs) {
    for (let i = starts[from] ?? 0; i < (starts[end] ?? 0); i++) {
      const row = sorted[i] ?? 0;
      if (row >= first && row <= last) out[count++] = row;
    }
  }
  return out.subarray(0, count);
}

/** Writes the rows that match, and says how many. At a million rows an array has four megabytes: that of all is read. */
function matchRows(
  view: View,
  { where = [], ids, from = 0, to = Number.POSITIVE_INFINITY }: Question,
  out: Uint32Array,
  work: Work,
): number {
  const { base } = view.changes;
  const [first, end] = [base.rowOf(from), base.rowOf(to)];
  const rowOf = (id: number) => (base.ids[base.rowOf(id)] === id ? base.rowOf(id) : base.size);
  const isFew = (rows: Uint32Array) => rows.length <= view.sizes.few;
  let rows: Uint32Array = ids
    ? Uint32Array.from(new Set(ids), rowOf).filter((row) => row >= first && row < end)
    : base.keysPer(1).subarray(first, end);
  let filters = where.map(({ field, ask }): Filter => {
    const column = base.column(field);
    return { column, ask, runs: runsOf(column, ask) };
  });
  if (!ids && !isFew(rows)) {
    const [fewest] = filters.filter(({ runs }) => runs).sort((a, b) => countOf(a) - countOf(b));
    if (fewest && countOf(fewest) * FEWER < rows.length) {
      rows = sliced(fewest, rows, out);
      filters = filters.filter((filter) => filter !== fewest);
    }
  }
  // A part of a text is the dearest to find.
  for (const { column, ask, runs } of filters.sort((a, b) => Number(!a.runs) - Number(!b.runs))) {
    const meetsAt = (row: number) => meets(column.kind, column.valueAt(column.places[row] ?? column.size), ask);
    rows = isFew(rows) ? rows.filter(meetsAt) : marked(rows, out, column, marksOf(column, ask, runs), work);
  }
  return unchanged(view, rows, out, work);
}

/** Writes the slots that match, and says how many. */
function matchSlots(
  { changes, slots }: View,
  { where = [], ids, from = 0, to = Number.POSITIVE_INFINITY }: Question,
  out: Uint32Array,
): number {
  const asked = ids && new Set(ids);
  let kept = changes.slotsThere(slots);
  if (asked || from > 0 || to < Number.POSITIVE_INFINITY) {
    kept = kept.filter((slot) => {
      const id = changes.ids[slot] ?? 0;
      return id >= from && id < to && (asked === undefined || asked.has(id));
    });
  }
  for (const { field, ask } of where) kept = out.subarray(0, changes.column(field).keep(kept, ask, out));
  if (where.length === 0) out.set(kept);
  return kept.length;
}

/** The users who meet a question, until the next one begins. */
export function matching(view: View, question: Question, work: Work): Match {
  const { base } = view.changes;
  const out = scratch.take(Math.max(base.size, question.ids?.length ?? 0) + view.slots);
  const rows = matchRows(view, question, out, work);
  const count = rows + matchSlots(view, question, out.subarray(rows));
  for (let i = rows; i < count; i++) out[i] = base.size + (out[i] ?? 0);
  return { items: out.subarray(0, count), rows };
}
