/** Looks for a word in several columns: in the texts of each at once. */

import type { Base } from '../stored/base.ts';
import type { Column } from '../stored/column.ts';
import { isToken } from '../stored/tokens.ts';
import { canBeWord, hasWord, idOf, type Question, type Words } from '../values/definition.ts';
import { plain } from '../values/text.ts';
import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks, ticked } from '../work/chunks.ts';
import { countsOf, cueOf, type MarkedTokens, markColumn, markTokens, textsWith } from './textSearch.ts';

/** Words that are looked for together: a bit of a byte for each. */
const TOGETHER = 8;

/** Letters of a word that may be rare: shorter ones are in too many texts. */
const RARE_FROM = 4;

/** The words of each search, each once. */
export const wordsIn = ({ where = [] }: Question): Words[] =>
  where.flatMap((each) => ('words' in each ? { ...each, words: [...new Set(each.words.map(plain))] } : []));

/** First the words that are found sooner, by tokens. */
export const groupsIn = (all: readonly Words[]): Words[] =>
  all.flatMap(({ fields, words }) =>
    [true, false].flatMap((hasCue) => {
      const some = words.filter((word) => (cueOf(word) !== undefined) === hasCue);
      const starts = Array.from({ length: Math.ceil(some.length / TOGETHER) }, (_, i) => i * TOGETHER);
      return starts.map((start) => ({ fields, words: some.slice(start, start + TOGETHER) }));
    }),
  );

/** The rows of some texts of a column whose rows are sorted, unless they are too many. */
function rowsSorted(column: Column, codes: readonly number[], most: number, work: Work): ArrayLike<number> | undefined {
  const { rows, starts } = ticked(column.sorting(), work);
  const found: number[] = [];
  for (const code of codes) {
    const key = column.keyAt(code);
    const own = rows.subarray(starts[key], starts[key + 1]);
    if (own.length + found.length > most) return undefined;
    // A key may be that of several codes.
    for (const row of own) if (column.codeOf(row) === code) found.push(row);
  }
  return found;
}

/** The same of a column whose rows nobody has sorted: all are passed, which takes no memory. */
function rowsPassed(column: Column, codes: readonly number[], most: number, work: Work): ArrayLike<number> | undefined {
  const all = ticked(column.coding(), work);
  const marks = arena.marks(column.size + 1);
  for (const code of codes) marks[code] = 1;
  // Writing each row, and counting only these, takes less time than asking.
  const found = arena.take(all.length);
  let count = 0;
  overChunks(all.length, work, (from, to) => {
    let at = count;
    for (let row = from; row < to; row++) {
      found[at] = row;
      at += marks[all[row] ?? 0] ?? 0;
    }
    count = at;
  });
  return count > most ? undefined : found.subarray(0, count);
}

/** A column, and its tokens that have some words: a bit for each. */
interface Searched {
  readonly column: Column;
  readonly tokens: MarkedTokens;
}

/** The rows that have a word in one of some columns, each once, unless they are too many. */
function rowsWith(searched: readonly Searched[], bit: number, most: number, work: Work): Uint32Array | undefined {
  const found = new Set<number>();
  for (const { column, tokens } of searched) {
    const codes = textsWith(tokens, bit);
    if (codes.length === 0) continue;
    const rows = (column.isSorted ? rowsSorted : rowsPassed)(column, codes, most, work);
    if (!rows) return undefined;
    for (let i = 0; i < rows.length; i++) found.add(rows[i] ?? 0);
  }
  return Uint32Array.from(found);
}

/** The rarest of some words, and the rows that have it. */
interface Looked {
  readonly rows: Uint32Array;
  readonly word: string;
}

/** Looks up the rarest of some words, which are tokens, unless too many rows have it. */
function lookUpRarest(base: Base, { fields, words }: Words, most: number, work: Work): Looked | undefined {
  const wanted = words.map((word, k) => ({ substring: Buffer.from(word), mark: 1 << k }));
  const searched = fields.map((field) => {
    const column = base.column(field);
    return { column, tokens: markTokens(column, wanted, plain, work) };
  });
  const counts = searched.map(({ tokens }) => countsOf(tokens, words.length));
  const sums = words.map((_, k) => counts.reduce((sum, each) => sum + (each[k] ?? 0), 0));
  const least = Math.min(...sums);
  const rarest = sums.indexOf(least);
  const rows = least > most ? undefined : rowsWith(searched, rarest, most, work);
  return rows && { rows, word: words[rarest] ?? '' };
}

/** The words that may be rare: the longest, which is likely to be, then all others together. */
function* likelyRare({ fields, words }: Words): Generator<Words> {
  const some = words.filter((word) => word.length >= RARE_FROM && canBeWord(word) && isToken(word));
  const [longest, ...others] = some.toSorted((a, b) => b.length - a.length);
  if (longest !== undefined) yield { fields, words: [longest] };
  if (others.length > 0) yield { fields, words: others.slice(0, TOGETHER) };
}

/** Looks up a word that few rows have. @returns its rows, and the words that are left to ask them for; undefined if there is none */
export function lookUpWord(base: Base, all: readonly Words[], most: number, work: Work) {
  for (const each of all) {
    for (const some of likelyRare(each)) {
      const found = arena.during(() => lookUpRarest(base, some, most, work));
      if (!found) continue;
      const words = each.words.filter((word) => word !== found.word);
      return { rows: found.rows, words: all.map((other) => (other === each ? { ...each, words } : other)) };
    }
  }
  return undefined;
}

/** Whether the user of a row has all of some words. */
export function rowHas(base: Base, row: number, { fields, words }: Words): boolean {
  const texts = fields.flatMap((field) => {
    const column = base.column(field);
    const value = column.valueAt(column.codeOf(row));
    return typeof value === 'string' ? plain(value) : [];
  });
  return words.every((word) => hasWord(base.ids[row] ?? 0, texts, word));
}

/** The words that are found: a bit for each, by code; and those of all codes. */
interface Marked {
  readonly codes: Uint32Array;
  readonly marks: Uint8Array;
  readonly bits: number;
}

/** The words that are in the texts of a column. */
function inColumn(column: Column, { words }: Words, work: Work): Marked {
  const codes = ticked(column.coding(), work);
  const marks = arena.marks(column.size + 1);
  const wanted = words.map((word, k) => ({ word, substring: Buffer.from(word), mark: 1 << k }));
  const searched = wanted.filter(({ word }) => canBeWord(word));
  return { codes, marks, bits: markColumn(column, { searched, form: plain }, marks, work) };
}

/** The words that are ids. */
function inIds(base: Base, { words }: Words, work: Work): Marked {
  const marks = arena.marks(base.size + 1);
  let bits = 0;
  for (const [k, word] of words.entries()) {
    const id = idOf(word) ?? -1;
    const row = base.rowOf(id);
    if (base.ids[row] !== id) continue;
    marks[row] = 1 << k;
    bits |= 1 << k;
  }
  return { codes: ticked(base.keying(1), work), marks, bits };
}

/** To each row what the text of its code has. */
function addMarks(rows: Uint32Array, { codes, marks }: Marked, users: Uint8Array, work: Work): void {
  overChunks(rows.length, work, (from, to) => {
    for (let i = from; i < to; i++) users[i] = (users[i] ?? 0) | (marks[codes[rows[i] ?? 0] ?? 0] ?? 0);
  });
}

/** Rows, and where those of them that are left are written, from the beginning: it may be the rows themselves. */
interface Between {
  readonly rows: Uint32Array;
  readonly out: Uint32Array;
}

function keepMarked({ rows, out }: Between, users: Uint8Array, all: number, work: Work): number {
  let count = 0;
  overChunks(rows.length, work, (from, to) => {
    let at = count;
    for (let i = from; i < to; i++) {
      out[at] = rows[i] ?? 0;
      at += Number(users[i] === all);
    }
    count = at;
  });
  return count;
}

/** The rows that have all words of a group. Columns take turns: what is known of the texts of one is as large as what a processor has close by. */
export function withWords(base: Base, group: Words, between: Between, work: Work): Uint32Array {
  const { rows, out } = between;
  const marked = group.fields.map((field) => inColumn(base.column(field), group, work));
  if (group.words.some((word) => idOf(word) !== undefined)) marked.push(inIds(base, group, work));
  const all = (1 << group.words.length) - 1;
  if (marked.reduce((sum, { bits }) => sum | bits, 0) !== all) return out.subarray(0, 0);
  const users = arena.marks(rows.length);
  for (const each of marked) if (each.bits > 0) addMarks(rows, each, users, work);
  return out.subarray(0, keepMarked(between, users, all, work));
}
