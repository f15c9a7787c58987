/** The users who meet a question: rows of the base, which one condition after the other narrows, and changed users. */

import type { View } from '../changed/overlay.ts';
import type { Base } from '../stored/base.ts';
import type { Column } from '../stored/column.ts';
import { type Ask, askedOf, meeting, type Question, type Words } from '../values/definition.ts';
import { arena } from '../work/arena.ts';
import { overChunks, ticked, type Work } from '../work/chunks.ts';
import { marksOf } from './marks.ts';
import type { Match } from './match.ts';
import { type Run, runsOf } from './runs.ts';
import { matchSlots } from './slots.ts';
import { groupsIn, lookUpWord, rowHas, withWords, wordsIn } from './words.ts';

/** A tick is due at each number of a row, of few, that has none of these bits: their texts are folded. */
const FEW = 0xff;

/** By how many times fewer the rows of some runs must be, so that not all that have been marked are passed. */
const FEWER = 4;

/** Where rows are this many times fewer than all, they are asked one by one for substrings and words: each takes a microsecond, all texts some milliseconds. */
const FEWER_ROWS = 64;

/** The same for the rows of a word, which are then asked for the other words. */
const FEWER_OF_WORD = 512;

/** A column that is asked, and the codes that meet the ask, if they follow each other. */
interface Part {
  readonly column: Column;
  readonly runs: readonly Run[] | undefined;
}

/** A condition: one column meets the ask, or one of several, whose codes follow each other. */
interface Filter {
  readonly ask: Ask;
  readonly parts: readonly Part[];
}

/** The conditions that rows are still asked for. */
interface Asked {
  readonly filters: readonly Filter[];
  readonly words: readonly Words[];
}

const filtersOf = (base: Base, { where = [] }: Question, work: Work): Filter[] =>
  where.flatMap((condition) => {
    if ('words' in condition) return [];
    const { fields, ask } = askedOf(condition);
    const parts = fields.map((field) => {
      const column = ticked(base.opening(field), work);
      return { column, runs: runsOf(column, ask, work) };
    });
    return [{ ask, parts }];
  });

const isOfRuns = ({ parts }: Filter): boolean => parts.every(({ runs }) => runs !== undefined);

/**
 * Whether its rows are looked up in the order of its values, if there are few. Users with a value, or without, are as fast told apart by their
 * codes: nothing is sorted for that.
 */
const isCounted = (filter: Filter): boolean =>
  isOfRuns(filter) && (!('missing' in filter.ask) || filter.parts.every(({ column }) => column.isSorted));

const isIn = (code: number, runs: readonly Run[]): boolean => runs.some(([from, end]) => code >= from && code < end);

/** The rows of a column that few have, if these alone can have the codes of some runs. One of members is sorted: it is asked more often. */
const fewOf = ({ column, runs = [] }: Part): Column['sparse'] =>
  column.kind === 'mixed' || isIn(column.size, runs) ? undefined : column.sparse;

/** How many rows have the codes of some runs. Of a column that few rows have it is the number of these. */
function countOf(part: Part, work: Work): number {
  const few = fewOf(part);
  if (few) return few.rows.length;
  const { column, runs = [] } = part;
  const { starts } = ticked(column.sorting(), work);
  return runs.reduce((sum, [from, end]) => sum + (starts[end] ?? 0) - (starts[from] ?? 0), 0);
}

/** The rows with the codes of some runs: each span is one from an index of `rows` to another. */
function rowsOf(part: Part, work: Work): { rows: Uint32Array; spans: readonly Run[] } {
  const { column, runs = [] } = part;
  const few = fewOf(part);
  if (few) {
    const rows = few.rows.filter((_, i) => isIn(few.codes[i] ?? 0, runs));
    return { rows, spans: [[0, rows.length]] };
  }
  const { rows, starts } = ticked(column.sorting(), work);
  return { rows, spans: runs.map(([from, end]) => [starts[from] ?? 0, starts[end] ?? 0]) };
}

/** By code: 1 if its users meet an ask. */
function marked({ column, runs }: Part, ask: Ask, work: Work): Uint8Array {
  if (!runs) return marksOf(column, ask, work);
  const marks = arena.marks(column.size + 1);
  for (const [from, end] of runs) marks.fill(1, from, end);
  return marks;
}

/** The row of each id, and of one that is not there a number behind all rows. */
const rowsOfIds = (base: Base, ids: readonly number[]): Uint32Array =>
  Uint32Array.from(new Set(ids), (id) => (base.ids[base.rowOf(id)] === id ? base.rowOf(id) : base.size));

/** The rows from one id to another, or those of some ids that are between them. */
function rowsAsked(base: Base, { ids, from = 0, to = Number.POSITIVE_INFINITY }: Question, work: Work): Uint32Array {
  const [first, end] = [base.rowOf(from), base.rowOf(to)];
  if (ids) return rowsOfIds(base, ids).filter((row) => row >= first && row < end);
  return ticked(base.keying(1), work).subarray(first, end);
}

/**
 * The rows that are left. Each condition writes over them those that it leaves, so nothing is reserved for it: at a million rows an array has four
 * megabytes.
 */
class Narrowing {
  readonly #view: View;
  readonly #base: Base;
  readonly #out: Uint32Array;
  readonly #work: Work;
  #rows: Uint32Array;

  /** @param out where rows are written, from the beginning: the first ones are only read */
  constructor(view: View, rows: Uint32Array, out: Uint32Array, work: Work) {
    this.#view = view;
    this.#base = view.overlay.base;
    this.#out = out;
    this.#work = work;
    this.#rows = rows;
  }

  get isFew(): boolean {
    return this.#rows.length <= this.#view.sizes.few;
  }

  get #isFewer(): boolean {
    return this.isFew || this.#rows.length * FEWER_ROWS < this.#base.size;
  }

  /** Looks up the rows of a rare word, or of the filter that has the fewest, where these are far fewer. @returns what is left to ask */
  lookUp({ filters, words }: Asked): Asked {
    const sum = ({ parts }: Filter) => parts.reduce((all, part) => all + countOf(part, this.#work), 0);
    const counted = filters.filter(isCounted).map((filter) => ({ filter, count: sum(filter) }));
    const [fewest] = counted.sort((a, b) => a.count - b.count);
    const isFewer = fewest !== undefined && fewest.count * FEWER_ROWS < this.#base.size;
    const left = isFewer || this.#isFewer ? undefined : this.#lookUpWord(words);
    if (left) return { filters, words: left };
    if (!fewest || fewest.count * FEWER >= this.#rows.length) return { filters, words };
    this.#slice(fewest.filter);
    return { filters: filters.filter((filter) => filter !== fewest.filter), words };
  }

  /** Looks up the rows of a word, unless they are too many. @returns the other words */
  #lookUpWord(words: readonly Words[]): readonly Words[] | undefined {
    const most = Math.max(this.#view.sizes.few, Math.floor(this.#base.size / FEWER_OF_WORD));
    const found = lookUpWord(this.#base, words, most, this.#work);
    if (!found) return undefined;
    const [first = 0, last = -1] = [this.#rows[0], this.#rows.at(-1)];
    this.#rows = found.rows.filter((row) => row >= first && row <= last);
    return found.words;
  }

  /** Leaves those rows, which follow each other, that have the codes of some runs. */
  #slice({ parts }: Filter): void {
    const [first = 0, last = -1] = [this.#rows[0], this.#rows.at(-1)];
    const out = this.#out;
    let count = 0;
    for (const part of parts) {
      const { rows, spans } = rowsOf(part, this.#work);
      for (const span of spans) {
        for (const row of rows.subarray(...span)) if (row >= first && row <= last) out[count++] = row;
      }
    }
    this.#rows = out.subarray(0, count);
    // A user may be in several parts.
    if (parts[1]) this.#rows = Uint32Array.from(new Set(this.#rows));
  }

  /** Asks rows one by one. */
  #each(meetsAt: (row: number) => boolean): void {
    this.#rows = this.#rows.filter((row, i) => {
      if ((i & FEW) === 0) this.#work.tick();
      return meetsAt(row);
    });
  }

  /** Leaves the rows whose codes are marked. Writing each, and counting only these, is twice as fast as asking. */
  #keep(codes: Uint32Array, marks: Uint8Array): void {
    const [rows, kept] = [this.#rows, this.#out];
    let count = 0;
    overChunks(rows.length, this.#work, (from, to) => {
      let at = count;
      for (let i = from; i < to; i++) {
        const row = rows[i] ?? 0;
        kept[at] = row;
        at += marks[codes[row] ?? 0] ?? 0;
      }
      count = at;
    });
    this.#rows = kept.subarray(0, count);
  }

  meet(filter: Filter): void {
    const { ask, parts } = filter;
    const [part, other] = parts;
    if (isOfRuns(filter) ? this.isFew : this.#isFewer) {
      const tests = parts.map(({ column }) => ({ column, isMet: meeting(column.kind, ask) }));
      this.#each((row) => tests.some(({ column, isMet }) => isMet(column.valueAt(column.codeOf(row)))));
    } else if (part && !other) {
      arena.during(() => this.#keep(ticked(part.column.coding(), this.#work), marked(part, ask, this.#work)));
    } else {
      arena.during(() => {
        const marks = arena.marks(this.#base.size + 1);
        for (const each of parts) {
          const { rows, spans } = rowsOf(each, this.#work);
          for (const span of spans) for (const row of rows.subarray(...span)) marks[row] = 1;
        }
        this.#keep(ticked(this.#base.keying(1), this.#work), marks);
      });
    }
  }

  haveWords(group: Words): void {
    const base = this.#base;
    if (this.#isFewer) this.#each((row) => rowHas(base, row, group));
    else {
      this.#rows = arena.during(() => withWords(base, group, { rows: this.#rows, out: this.#out }, this.#work));
    }
  }

  leaveOut(ids: readonly number[]): void {
    const base = this.#base;
    arena.during(() => {
      const marks = arena.marks(base.size + 1).fill(1);
      for (const row of rowsOfIds(base, ids)) marks[row] = 0;
      this.#keep(ticked(base.keying(1), this.#work), marks);
    });
  }

  /** Leaves the users who have not changed, and says how many there are: from the beginning of `out` on. */
  unchanged(): number {
    const { overlay, slots } = this.#view;
    return overlay.unchanged(slots, this.#rows, this.#out, this.#work);
  }
}

/** A substring of a text is the dearest to find. */
const cheapFirst = (filters: readonly Filter[]): Filter[] =>
  filters.toSorted((a, b) => Number(isOfRuns(b)) - Number(isOfRuns(a)));

/** Writes the rows that match, and says how many. */
function matchRows(view: View, question: Question, out: Uint32Array, work: Work): number {
  const { base } = view.overlay;
  const left = new Narrowing(view, rowsAsked(base, question, work), out, work);
  const all = { filters: filtersOf(base, question, work), words: wordsIn(question) };
  const { filters, words } = question.ids || left.isFew ? all : left.lookUp(all);
  for (const filter of cheapFirst(filters)) left.meet(filter);
  for (const group of groupsIn(words)) left.haveWords(group);
  if (question.notIds) left.leaveOut(question.notIds);
  return left.unchanged();
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
