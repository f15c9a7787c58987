import { arena } from './arena.ts';
import type { Base } from './base.ts';
import { markBound, runsBeyond } from './bounds.ts';
import { overChunks, ticked } from './chunks.ts';
import type { Column } from './column.ts';
import {
  type Ask,
  folded,
  foldOf,
  ignoresCase,
  kindOf,
  meeting,
  type Question,
  substringsIn,
  testOf,
  type Work,
} from './definition.ts';
import { foldMailbox, isInternational } from './mailbox.ts';
import { ARRAY, encoded, isPlace, type Mixed, membersIn, substringsAt, TEXT } from './mixed.ts';
import type { Overlay } from './overlay.ts';
import { markSome, Substrings } from './substrings.ts';
import { markColumn } from './textSearch.ts';
import { firstNot, Texts } from './texts.ts';
import { isToken } from './tokens.ts';
import { groupsIn, rowHas, withWords, wordsIn } from './words.ts';

/** The most users that are looked at one by one, or sorted, the bins that divide more, and the most combinations that an array counts. Tests make all small. */
export interface Sizes {
  readonly few: number;
  readonly bins: number;
  readonly cells: number;
}

/** A tick is due at each number of a row, of few, that has none of these bits: their texts are folded. */
const FEW = 0xff;

/** By how many times fewer the rows of some runs must be, so that not all that have been marked are passed. */
const FEWER = 4;

/** Where rows are this many times fewer than all, they are asked one by one for substrings and words: each takes a microsecond, all texts some milliseconds. */
const FEWER_ROWS = 64;

/** The inside of a replica: a base, and the first slots, up to a number, of the rows that have changed since. */
export interface View {
  readonly overlay: Overlay;
  readonly slots: number;
  readonly sizes: Sizes;
}

/** Users as items: the rows of the base, and behind them slots of changed users, each plus the size of the base. */
export interface Match {
  readonly items: Uint32Array;
  readonly rows: number;
}

/** Codes from one on, as long as they meet an ask; the end is not included. */
type Run = readonly [from: number, end: number];

function runFrom(column: Column, from: number, ask: Ask): Run {
  const test = testOf(column.kind, ask);
  const meetsAt = (code: number): boolean => {
    const value = column.valueAt(code) ?? '';
    return test(value, folded(column.kind, value));
  };
  return [from, from + firstNot(column.size - from, (i) => meetsAt(from + i))];
}

/** In their order, each code once. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  let last = 0;
  for (const [from, end] of runs.toSorted(([a], [b]) => a - b)) {
    if (end > last) all.push([Math.max(from, last), end]);
    last = Math.max(last, end);
  }
  return all.filter(([from, end]) => from < end);
}

/** The codes that are in none of some joined runs. */
function others(runs: readonly Run[], size: number): Run[] {
  const starts = [...runs.map(([from]) => from), size];
  return [0, ...runs.map(([, end]) => end)]
    .map((end, i): Run => [end, starts[i] ?? size])
    .filter(([from, end]) => from < end);
}

/** The first code that is not before a value. */
function boundOf(column: Column, given: Mixed): number {
  const { kind } = column;
  const value = kind === 'mixed' ? encoded(given) : String(given);
  const key = kind === 'number' ? Number(given) : folded(kind, value);
  return column.lowerBound(key, ignoresCase(kind) ? undefined : value);
}

/** The codes of addresses with the mailboxes of some: those that are written like these, and those that are not. */
function mailboxesOf(column: Column, values: readonly Mixed[], work: Work): readonly Run[] {
  const keys = values.flatMap((value) => (typeof value === 'string' ? foldMailbox(value) : []));
  const respelled = [false, ...(keys.some(isInternational) ? [true] : [])].map((isBeyond) =>
    ticked(column.respelling(isBeyond), work),
  );
  return joined(
    keys.flatMap((key) => [
      [column.lowerBound(key), column.upperBound(key)] as const,
      ...respelled.flatMap((all) => (all.get(key) ?? []).map((code) => [code, code + 1] as const)),
    ]),
  );
}

/** The codes of some values, without arrays that have them. */
function codesOf(column: Column, values: readonly Mixed[], work: Work): readonly Run[] {
  if (column.kind === 'address') return mailboxesOf(column, values, work);
  return joined(
    values.map((value): Run => {
      const from = boundOf(column, value);
      if (column.kind !== 'mixed') return runFrom(column, from, { any: [value] });
      return [from, from + Number(column.valueAt(from) === encoded(value))];
    }),
  );
}

/** Whether arrays have to be looked at. */
const isOfArrays = (column: Column): boolean => column.kind === 'mixed' && column.lowerBound(ARRAY) < column.size;

/** The codes that meet an ask. The last code is that of users without a value. undefined: by marks. */
function runsOf(column: Column, ask: Ask, work: Work): readonly Run[] | undefined {
  const { size, kind } = column;
  if ('missing' in ask) return [ask.missing ? [size, size + 1] : [0, size]];
  if ('any' in ask) return isOfArrays(column) ? undefined : codesOf(column, ask.any, work);
  if ('none' in ask) return isOfArrays(column) ? undefined : others(codesOf(column, ask.none, work), size + 1);
  if ('substrings' in ask) {
    if (ask.at !== 'startsWith' || kind === 'mixed') return undefined;
    const { at } = ask;
    return joined(
      substringsIn(kind, ask.substrings).map((substring) =>
        runFrom(column, column.lowerBound(substring), { substrings: [substring], at }),
      ),
    );
  }
  return typeof ask.of === 'string' && isOfArrays(column) ? undefined : runsBeyond(column, ask, work);
}

/** Marks the codes of some values, and of arrays that have them. */
function markValues(column: Column, texts: Texts, values: readonly Mixed[], marks: Uint8Array, work: Work): void {
  for (const [from, end] of codesOf(column, values, work)) marks.fill(1, from, end);
  const members = membersIn(values).map((member) => Buffer.from(member));
  markSome(texts, new Substrings(members, true), marks, work, column.lowerBound(ARRAY));
}

/** Marks the codes whose values meet an ask, by its definition: for asks that have no faster way. */
function markTested(column: Column, ask: Ask, marks: Uint8Array, work: Work): Uint8Array {
  const isMet = meeting(column.kind, ask);
  overChunks(column.size, work, (from, to) => {
    for (let code = from; code < to; code++) marks[code] = Number(isMet(column.valueAt(code)));
  });
  return marks;
}

/** By code: 1 if users with it meet an ask. */
function marksOf({ column, ask, runs }: ByField, work: Work): Uint8Array {
  const { kind, size, values } = column;
  const marks = arena.marks(size + 1);
  for (const [from, end] of runs ?? []) marks.fill(1, from, end);
  if (runs || !(values instanceof Texts)) return marks;
  if ('any' in ask) markValues(column, values, ask.any, marks, work);
  if ('none' in ask) {
    markValues(column, values, ask.none, marks, work);
    overChunks(marks.length, work, (from, to) => {
      for (let code = from; code < to; code++) marks[code] = 1 - (marks[code] ?? 0);
    });
  }
  if ('bound' in ask) markBound(column, ask, marks, work);
  if (!('substrings' in ask)) return marks;
  const { at } = ask;
  if (!isPlace(at)) return markTested(column, ask, marks, work);
  const substrings = substringsIn(kind, ask.substrings);
  const atEnd = at === 'endsWith';
  // Behind each text is a NUL.
  const keys =
    kind === 'mixed'
      ? substringsAt(substrings, at)
      : substrings.map((substring) => (atEnd ? `${substring}\0` : substring));
  const ofTokens = (kind === 'mixed' ? keys : substrings).every(isToken);
  const bytes = keys.map((key) => Buffer.from(key));
  const searched = bytes.length > 1 ? new Substrings(bytes) : bytes.map((substring) => ({ substring, mark: 1 }));
  if (keys.includes('')) marks.fill(1, 0, size);
  else markColumn(column, foldOf(kind), searched, marks, { ofTokens, atEnd }, work);
  return kind === 'mixed' ? marks.fill(0, 0, column.lowerBound(TEXT)) : marks;
}

/**
 * The rows whose codes are marked. Writing each, and counting only these, is twice as fast as asking.
 *
 * @param kept where they are written, from the beginning: it may be the rows themselves
 */
function marked(rows: Uint32Array, kept: Uint32Array, codes: Uint32Array, marks: Uint8Array, work: Work): Uint32Array {
  let count = 0;
  overChunks(rows.length, work, (from, to) => {
    let at = count;
    for (let i = from; i < to; i++) {
      const row = rows[i] ?? 0;
      kept[at] = row;
      at += marks[codes[row] ?? 0] ?? 0;
    }
    count = at;
  });
  return kept.subarray(0, count);
}

/** How many of the rows have users who have not changed: they are written into `kept`, which may be the rows themselves. */
export function unchanged({ overlay, slots }: View, rows: Uint32Array, kept: Uint32Array, work: Work): number {
  const { replacedBy } = overlay;
  let count = 0;
  overChunks(rows.length, work, (from, to) => {
    let at = count;
    for (let i = from; i < to; i++) {
      const row = rows[i] ?? 0;
      kept[at] = row;
      at += Number((replacedBy[row] ?? 0) >= slots);
    }
    count = at;
  });
  return count;
}

/** A condition on a column. */
interface ByField {
  readonly column: Column;
  readonly ask: Ask;
  readonly runs: readonly Run[] | undefined;
}

/**
 * Whether its rows are looked up in the order of its values, if there are few. Users with a value, or without, are as fast told apart by their
 * codes: nothing is sorted for that.
 */
const isCounted = ({ column, ask, runs }: ByField): boolean =>
  runs !== undefined && (column.isSorted || !('missing' in ask));

/** How many rows have the codes of some runs. */
function countOf({ column, runs = [[0, column.size + 1]] }: ByField, work: Work): number {
  const { starts } = ticked(column.sorting(), work);
  return runs.reduce((sum, [from, end]) => sum + (starts[end] ?? 0) - (starts[from] ?? 0), 0);
}

/** Writes those of some rows, which follow each other, that have the codes of the runs. */
function sliced({ column, runs = [] }: ByField, rows: Uint32Array, out: Uint32Array, work: Work): Uint32Array {
  const { rows: sorted, starts } = ticked(column.sorting(), work);
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

/** The rows without those of some ids. */
function without(base: Base, ids: readonly number[], rows: Uint32Array, out: Uint32Array, work: Work): Uint32Array {
  const marks = arena.marks(base.size + 1).fill(1);
  for (const id of ids) if (base.ids[base.rowOf(id)] === id) marks[base.rowOf(id)] = 0;
  return marked(rows, out, ticked(base.keying(1), work), marks, work);
}

/** Writes the rows that match, and says how many. At a million rows an array has four megabytes: that of all is read. */
function matchRows(view: View, question: Question, out: Uint32Array, work: Work): number {
  const { where = [], ids, notIds, from = 0, to = Number.POSITIVE_INFINITY } = question;
  const { base } = view.overlay;
  const [first, end] = [base.rowOf(from), base.rowOf(to)];
  const rowOf = (id: number) => (base.ids[base.rowOf(id)] === id ? base.rowOf(id) : base.size);
  const isFew = (rows: Uint32Array) => rows.length <= view.sizes.few;
  let rows: Uint32Array = ids
    ? Uint32Array.from(new Set(ids), rowOf).filter((row) => row >= first && row < end)
    : ticked(base.keying(1), work).subarray(first, end);
  let filters = where.flatMap((each): ByField[] => {
    if (!('ask' in each)) return [];
    const column = base.column(each.field);
    return [{ column, ask: each.ask, runs: runsOf(column, each.ask, work) }];
  });
  const looked = ids || isFew(rows) ? [] : filters.filter(isCounted);
  const counted = looked.map((filter) => ({ filter, count: countOf(filter, work) }));
  const [fewest] = counted.sort((a, b) => a.count - b.count);
  if (fewest && fewest.count * FEWER < rows.length) {
    rows = sliced(fewest.filter, rows, out, work);
    filters = filters.filter((filter) => filter !== fewest.filter);
  }
  const narrow = (meetsAt: (row: number) => boolean, all: () => Uint32Array, few: boolean) => {
    const meets = (row: number, i: number): boolean => {
      if ((i & FEW) === 0) work.tick();
      return meetsAt(row);
    };
    rows = few ? rows.filter(meets) : arena.during(all);
  };
  const isFewer = () => isFew(rows) || rows.length * FEWER_ROWS < base.size;
  // A substring of a text is the dearest to find, and so is a word.
  for (const filter of filters.sort((a, b) => Number(!a.runs) - Number(!b.runs))) {
    const { column, ask, runs } = filter;
    const isMet = meeting(column.kind, ask);
    narrow(
      (row) => isMet(column.valueAt(column.codeOf(row))),
      () => marked(rows, out, ticked(column.coding(), work), marksOf(filter, work), work),
      runs ? isFew(rows) : isFewer(),
    );
  }
  for (const group of groupsIn(question)) {
    narrow(
      (row) => rowHas(base, row, group),
      () => withWords(base, group, rows, out, work),
      isFewer(),
    );
  }
  if (notIds) rows = arena.during(() => without(base, notIds, rows, out, work));
  return unchanged(view, rows, out, work);
}

/** Writes the slots that match, and says how many. */
function matchSlots({ overlay, slots }: View, question: Question, out: Uint32Array, work: Work): number {
  const { base } = overlay;
  const { where = [], ids, notIds = [], from = 0, to = Number.POSITIVE_INFINITY } = question;
  const [asked, not] = [ids && new Set(ids), new Set(notIds)];
  work.tick();
  let kept = overlay.lastOf(slots).there;
  if (asked || not.size > 0 || from > 0 || to < Number.POSITIVE_INFINITY) {
    kept = kept.filter((slot) => {
      const id = overlay.ids[slot] ?? 0;
      return id >= from && id < to && !not.has(id) && (asked === undefined || asked.has(id));
    });
  }
  const filters = where.flatMap((each) => {
    if (!('ask' in each)) return [];
    const { field, ask } = each;
    const isMember = kindOf(base.kinds, field) === 'mixed';
    const size = isMember
      ? ticked(overlay.members(), work).get(field)?.length
      : ticked(overlay.filling(field), work).values.length;
    return [{ field, ask, size: size ?? 0 }];
  });
  // Each value is tested once: those of fields with few go first, and leave fewer users for the others. A column of members may be
  // forgotten when the next one is made.
  for (const { field, ask } of filters.sort((a, b) => a.size - b.size)) {
    kept = out.subarray(0, ticked(overlay.filling(field), work).keep(kept, ask, out, work));
  }
  for (const { fields, words } of wordsIn(question)) {
    kept = out.subarray(0, overlay.keepWords(kept, fields, words, out, work));
  }
  out.set(kept);
  return kept.length;
}

/** The users who meet a question, until the next one begins. */
export function matching(view: View, question: Question, work: Work): Match {
  const { base } = view.overlay;
  const out = arena.take(Math.max(base.size, question.ids?.length ?? 0) + view.slots);
  const rows = matchRows(view, question, out, work);
  const count = rows + matchSlots(view, question, out.subarray(rows), work);
  for (let i = rows; i < count; i++) out[i] = base.size + (out[i] ?? 0);
  return { items: out.subarray(0, count), rows };
}
