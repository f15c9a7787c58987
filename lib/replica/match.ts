import type { Changed } from './changed.ts';
import type { Column } from './column.ts';
import { type Ask, folded, meets, type Question, testOf, type Value, type Work } from './definition.ts';
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

/** A tick is due at each number that has none of these bits. */
export const TICKS = 0xffff;

/** Marks the places that meet an ask: those from one on, as long as they do. */
function markRun(column: Column, marks: Uint8Array, from: number, ask: Ask): void {
  const test = testOf(column.kind, ask);
  const meetsAt = (place: number): boolean => {
    const value = column.valueAt(place) ?? '';
    return test(value, folded(value));
  };
  marks.fill(1, from, from + firstNot(column.size - from, (i) => meetsAt(from + i)));
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

/** By place: 1 if users with it meet an ask. The last place is that of users without a value. */
function marksOf(column: Column, ask: Ask): Uint8Array {
  const { size, values, kind } = column;
  const marks = scratch.marks(size + 1);
  marks[size] = Number(meets(kind, undefined, ask));
  const bound = (value: Value) =>
    column.lowerBound(typeof value === 'number' ? value : folded(value), kind === 'text' ? undefined : String(value));
  if ('missing' in ask) marks.fill(Number(!ask.missing), 0, size);
  else if ('any' in ask) for (const value of ask.any) markRun(column, marks, bound(value), { any: [value] });
  else if ('startsWith' in ask) markRun(column, marks, column.lowerBound(folded(ask.startsWith)), ask);
  else if (!('contains' in ask)) markRun(column, marks, column.lowerBound(ask.gte ?? Number.NEGATIVE_INFINITY), ask);
  else if (values instanceof Texts) markPart(values.folded, marks, folded(ask.contains));
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
  let rows: Uint32Array = ids
    ? Uint32Array.from(new Set(ids), rowOf).filter((row) => row >= first && row < end)
    : base.keysPer(1).subarray(first, end);
  // A part of a text is the dearest to find.
  for (const { field, ask } of where.toSorted((a, b) => Number('contains' in a.ask) - Number('contains' in b.ask))) {
    const column = base.column(field);
    const meetsAt = (row: number) => meets(column.kind, column.valueAt(column.places[row] ?? column.size), ask);
    const isFew = rows.length <= view.sizes.few;
    rows = isFew ? rows.filter(meetsAt) : marked(rows, out, column, marksOf(column, ask), work);
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
  let count = 0;
  for (let slot = 0; slot < slots; slot++) {
    const id = changes.ids[slot] ?? 0;
    const isIn = id >= from && id < to && (asked === undefined || asked.has(id));
    if (isIn && changes.users[slot] !== undefined && changes.isLast(slot, slots)) out[count++] = slot;
  }
  for (const { field, ask } of where) count = changes.column(field).keep(out.subarray(0, count), ask);
  return count;
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
