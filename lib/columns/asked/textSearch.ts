/** Looks for substrings in a column by the tokens of its texts. Of a substring that is no token, texts that have its longest one are looked at. */

import type { Column } from '../stored/column.ts';
import { Texts } from '../stored/texts.ts';
import { isToken, NUMBER, type Postings, tokensOf } from '../stored/tokens.ts';
import type { Fold } from '../values/text.ts';
import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks, ticked } from '../work/chunks.ts';
import { canHave, markTexts, type Search, type Searched, Substrings, type Wanted } from './substrings.ts';

/** Letters of a part that is not in most texts. */
const RARE = 3;

/** The part that a token of each text with a substring has: the substring itself, or its longest token. undefined where that would be in most texts. */
export function cueOf(substring: string): string | undefined {
  if (isToken(substring)) return substring;
  const longest = tokensOf(substring).reduce((a, b) => (b.length > a.length ? b : a), '');
  return longest.length < RARE ? undefined : longest;
}

/** The cue of each substring. undefined if one has none, or if substrings share a mark. */
function cuesOf(searched: Searched): readonly Wanted[] | undefined {
  if (searched instanceof Substrings) return undefined;
  const cues = searched.map(({ substring, mark }) => ({
    substring: Buffer.from(cueOf(substring.toString()) ?? ''),
    mark,
  }));
  return cues.every(({ substring }) => substring.length > 0) ? cues : undefined;
}

/** Where at least one text of this number has a mark, a search of all texts takes less time than a look at each of these. */
const MANY = 16;

/** Texts, and the form in which they are searched. */
interface Formed {
  readonly texts: Texts;
  readonly form: Fold;
}

/** Of the texts that have its mark, leaves it to those that have the substring. */
function keepMarks({ texts, form }: Formed, wanted: Wanted, marks: Uint8Array, work: Work): number {
  const own = arena.marks(texts.size);
  let count = 0;
  overChunks(own.length, work, (from, to) => {
    let some = 0;
    for (let i = from; i < to; i++) some += Number(((marks[i] ?? 0) & wanted.mark) > 0);
    count += some;
  });
  if (count * MANY > own.length) markTexts(texts, { searched: [wanted], form }, own, work);
  else if (canHave(texts, wanted.substring)) {
    const substring = wanted.substring.toString();
    overChunks(own.length, work, (from, to) => {
      for (let i = from; i < to; i++) {
        const isMarked = ((marks[i] ?? 0) & wanted.mark) > 0;
        if (isMarked && `${form(texts.text(i))}\0`.includes(substring)) own[i] = wanted.mark;
      }
    });
  }
  let found = 0;
  overChunks(own.length, work, (from, to) => {
    for (let i = from; i < to; i++) {
      found |= own[i] ?? 0;
      marks[i] = (marks[i] ?? 0) & (~wanted.mark | (own[i] ?? 0));
    }
  });
  return found;
}

const textsOf = ({ ends, texts }: Postings, token: number): Int32Array =>
  texts.subarray(token === 0 ? 0 : ends[token - 1], ends[token]);

/** Texts that are marked between two ticks, but for those of one token. */
const MANY_TEXTS = 1 << 14;

const NONE = new Uint8Array(0);

/** The marks of tokens, by number, and whether only the one at the end of a text counts. */
interface Known {
  readonly known: Uint8Array;
  readonly atEnd: boolean;
}

/** Marks texts with the marks of their tokens. */
function markByTokens({ ends, texts }: Postings, { known, atEnd }: Known, marks: Uint8Array, work: Work): void {
  const markAll = (bits: number, from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const text = (texts[i] ?? 0) & NUMBER;
      marks[text] = (marks[text] ?? 0) | bits;
    }
  };
  const markEnding = (bits: number, from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const text = texts[i] ?? 0;
      // The highest bit makes it negative: the text ends with the token.
      if (text < 0) marks[text & NUMBER] = (marks[text & NUMBER] ?? 0) | bits;
    }
  };
  const mark = atEnd ? markEnding : markAll;
  let [begin, passed] = [0, 0];
  overChunks(known.length, work, (from, to) => {
    for (let token = from; token < to; token++) {
      const [bits, first, end] = [known[token] ?? 0, begin, ends[token] ?? 0];
      begin = end;
      if (bits === 0) continue;
      passed += end - first;
      if (passed > MANY_TEXTS) {
        work.tick();
        passed = 0;
      }
      mark(bits, first, end);
    }
  });
}

/** The tokens of a column that have some words, with a bit for each word. A column without tokens has its texts here. */
export interface MarkedTokens {
  readonly postings: Postings | undefined;
  readonly marks: Uint8Array;
  /** The numbers of those that are marked. */
  readonly marked: readonly number[];
}

/** The indexes of marks: four at a time are passed where there are none. */
function indexesOf(marks: Uint8Array): number[] {
  const fours = new Uint32Array(marks.buffer, marks.byteOffset, marks.length >> 2);
  const found: number[] = [];
  for (let i = 0; i < marks.length; i++) {
    if (i % 4 === 0) while (fours[i >> 2] === 0) i += 4;
    if ((marks[i] ?? 0) > 0) found.push(i);
  }
  return found;
}

/** Marks the tokens of a column that have some words in a form; its texts where it has no tokens. */
export function markTokens(column: Column, wanted: readonly Wanted[], form: Fold, work: Work): MarkedTokens {
  const { values } = column;
  if (!(values instanceof Texts) || values.size === 0) return { postings: undefined, marks: NONE, marked: [] };
  const { distinct = values, postings } = ticked(column.tokenizing(), work) ?? {};
  const marks = arena.marks(distinct.size);
  const bits = markTexts(distinct, { searched: wanted, form, isFormed: distinct !== values }, marks, work);
  return { postings, marks, marked: bits === 0 ? [] : indexesOf(marks) };
}

/** How many texts have tokens with each bit of their marks. */
export const countsOf = ({ postings, marks, marked }: MarkedTokens, bits: number): number[] =>
  Array.from({ length: bits }, (_, bit) =>
    marked.reduce((sum, i) => sum + (((marks[i] ?? 0) >> bit) & 1) * (postings ? textsOf(postings, i).length : 1), 0),
  );

/** The texts that have tokens with a bit. */
export const textsWith = ({ postings, marks, marked }: MarkedTokens, bit: number): number[] =>
  marked.flatMap((i) => {
    if ((((marks[i] ?? 0) >> bit) & 1) === 0) return [];
    return postings ? Array.from(textsOf(postings, i), (text) => text & NUMBER) : [i];
  });

/** A search of a column, and whether what is searched is of tokens, and must be the end of a text. */
export interface ColumnSearch extends Pick<Search, 'searched' | 'form'> {
  readonly ofTokens?: boolean;
  readonly atEnd?: boolean;
}

/** Marks the texts of a column that in some form have substrings: what has tokens is looked for in each of these once. */
export function markColumn(column: Column, search: ColumnSearch, marks: Uint8Array, work: Work): number {
  const { values } = column;
  const { searched, form, ofTokens = false, atEnd = false } = search;
  if (!(values instanceof Texts) || values.size === 0) return 0;
  const cues = ofTokens ? searched : cuesOf(searched);
  const tokens = cues && ticked(column.tokenizing(), work);
  if (!tokens) return markTexts(values, { searched, form }, marks, work);
  const { distinct, postings } = tokens;
  if (!postings) return markTexts(distinct, { searched, form, isFormed: true }, marks, work);
  const known = arena.marks(distinct.size);
  let bits = markTexts(distinct, { searched: cues, form, isFormed: true }, known, work);
  if (bits > 0) markByTokens(postings, { known, atEnd: ofTokens && atEnd }, marks, work);
  if (searched instanceof Substrings || ofTokens) return bits;
  for (const each of searched) {
    if ((bits & each.mark) === 0 || isToken(each.substring.toString())) continue;
    bits = (bits & ~each.mark) | keepMarks({ texts: values, form }, each, marks, work);
  }
  return bits;
}
