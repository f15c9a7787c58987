/** Looks for a word in several columns: in the texts of each at once, and only of users who have not been found. */
import type { Base } from './base.ts';
import type { Column } from './column.ts';
import { canBeIn, hasWord, type Question, type Work } from './definition.ts';
import { FEWER, markAll, markFew, NO, Parts, TICKS, YES } from './parts.ts';
import { scratch } from './scratch.ts';
import { plain } from './text.ts';
import { Texts } from './texts.ts';

/** A word as plain texts have it. */
export interface Word {
  readonly fields: readonly string[];
  readonly word: string;
}

/** All words of a question, each once. Longer ones come first: fewer have them. */
export const wordsIn = ({ where = [] }: Question): Word[] =>
  where
    .flatMap((each) =>
      'words' in each ? [...new Set(each.words.map(plain))].map((word) => ({ fields: each.fields, word })) : [],
    )
    .sort((a, b) => b.word.length - a.word.length);

/** Whether the user of a row has a word. */
export function rowHas(base: Base, row: number, { fields, word }: Word): boolean {
  const texts = fields.flatMap((field) => {
    const column = base.column(field);
    const value = column.valueAt(column.places[row] ?? column.size);
    return typeof value === 'string' ? plain(value) : [];
  });
  return hasWord(base.ids[row] ?? 0, texts, word);
}

/** By place: YES if the text has a word. At least the places of some rows are known then. */
function marksOf({ places, size, values }: Column, parts: Parts | undefined, rows: Uint32Array, work: Work) {
  const marks = scratch.marks(size + 1);
  if (!(values instanceof Texts)) return marks;
  if (!parts) return marks.fill(YES, 0, size);
  const isFew = rows.length * FEWER < size;
  if (!isFew) markAll(values.folded, parts, marks, work);
  const { places: others, texts } = values.plain;
  for (let i = 0; i < others.length; i++) {
    marks[others[i] ?? 0] = parts.isIn(texts.bytes, texts.start(i), texts.ends[i] ?? 0) ? YES : NO;
  }
  marks[size] = NO;
  if (isFew) markFew(values.folded, parts, marks, { places, rows });
  return marks;
}

/**
 * The rows that have a word.
 *
 * @param out where they are written, from the beginning: it may be the rows themselves
 */
export function withWord(base: Base, { fields, word }: Word, rows: Uint32Array, out: Uint32Array, work: Work) {
  const rest = scratch.take(rows.length);
  let left = rows;
  let count = 0;
  const parts = word === '' ? undefined : new Parts([Buffer.from(word)]);
  const columns = canBeIn(word) ? fields.map((field) => base.column(field)) : [];
  for (const column of columns.sort((a, b) => a.size - b.size)) {
    const marks = marksOf(column, parts, left, work);
    let missed = 0;
    for (let i = 0; i < left.length; i++) {
      if ((i & TICKS) === 0) work.tick();
      const row = left[i] ?? 0;
      const isFound = (marks[column.places[row] ?? 0] ?? 0) >> 1;
      out[count] = row;
      count += isFound;
      rest[missed] = row;
      missed += 1 - isFound;
    }
    left = rest.subarray(0, missed);
  }
  const row = base.rowOf(Number(word));
  if (String(base.ids[row]) === word && left.includes(row)) out[count++] = row;
  return out.subarray(0, count);
}
