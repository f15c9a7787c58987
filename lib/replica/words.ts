/** Looks for a word in several columns: in the texts of each at once. */
import type { Base } from './base.ts';
import type { Column } from './column.ts';
import { canBeIn, hasWord, idOf, type Question, type Work } from './definition.ts';
import { markTexts, NO, Parts, TICKS, YES } from './parts.ts';
import { scratch } from './scratch.ts';
import { plain } from './text.ts';
import { Texts } from './texts.ts';

/** A word as plain texts have it. */
export interface Word {
  readonly fields: readonly string[];
  readonly word: string;
}

/** All words of a question, each once. Longer ones come first: fewer users have them. */
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

/** By place: YES if the text has a word. */
function marksOf({ places, size, values }: Column, word: string, rows: Uint32Array, work: Work): Uint8Array {
  const marks = scratch.marks(size + 1);
  marks[size] = NO;
  if (!(values instanceof Texts) || !canBeIn(word)) return marks;
  if (word === '') marks.fill(YES, 0, size);
  else markTexts(values, plain, new Parts([Buffer.from(word)]), marks, { places, rows }, work);
  return marks;
}

/**
 * The rows that have a word.
 *
 * @param out where they are written, from the beginning: it may be the rows themselves
 */
export function withWord(base: Base, { fields, word }: Word, rows: Uint32Array, out: Uint32Array, work: Work) {
  const users = scratch.marks(base.size + 1);
  for (const field of fields) {
    const column = base.column(field);
    const [{ places }, marks] = [column, marksOf(column, word, rows, work)];
    if (!marks.includes(YES)) continue;
    for (let i = 0; i < rows.length; i++) {
      if ((i & TICKS) === 0) work.tick();
      const row = rows[i] ?? 0;
      users[row] = (users[row] ?? 0) | (marks[places[row] ?? 0] ?? 0);
    }
  }
  const id = idOf(word) ?? 0;
  if (base.ids[base.rowOf(id)] === id) users[base.rowOf(id)] = YES;
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    out[count] = row;
    count += (users[row] ?? 0) >> 1;
  }
  return out.subarray(0, count);
}
