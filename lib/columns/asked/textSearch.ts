/** Looks for substrings in a column by the tokens of its texts. Of a substring that is no token, texts that have its longest one are looked at. */

import type { Column, Tokens } from '../stored/column.ts';
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

/** More texts of one token are marked in steps. */
const MANY_TEXTS = 1 << 13;

/** The marks of tokens, by number, and whether only the one at the end of a text counts. */
interface Known {
  readonly known: Uint8Array;
  readonly atEnd: boolean;
}

/** Marks texts with the marks of their tokens. */
function markByTokens({ postings }: Tokens, { known, atEnd }: Known, marks: Uint8Array, work: Work): void {
  if (!postings) {
    marks.set(known);
    return;
  }
  const { ends, texts } = postings;
  const markAll = (bits: number, from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const text = (texts[i] ?? 0) & NUMBER;
      marks[text] = (marks[text] ?? 0) | bits;
    }
  };
  const markEnding = (bits: number, from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const text = texts[i] ?? 0;
      if (text < 0) marks[text & NUMBER] = (marks[text & NUMBER] ?? 0) | bits;
    }
  };
  const mark = atEnd ? markEnding : markAll;
  let begin = 0;
  overChunks(known.length, work, (from, to) => {
    for (let token = from; token < to; token++) {
      const [bits, first, end] = [known[token] ?? 0, begin, ends[token] ?? 0];
      begin = end;
      if (bits === 0) continue;
      if (end - first <= MANY_TEXTS) mark(bits, first, end);
      else overChunks(end - first, work, (from, to) => mark(bits, first + from, first + to));
    }
  });
}

/** A token in some form, and the most of what has it that is looked up. */
export interface Rare {
  readonly token: string;
  readonly form: Fold;
  readonly most: number;
}

/** The texts of a column that have a token, unless they are too many. */
export function textsWith(column: Column, { token, form, most }: Rare, work: Work): number[] | undefined {
  const { values } = column;
  if (!(values instanceof Texts) || values.size === 0) return [];
  const { distinct = values, postings } = ticked(column.tokenizing(), work) ?? {};
  const known = arena.marks(distinct.size);
  const searched = [{ substring: Buffer.from(token), mark: 1 }];
  if (markTexts(distinct, { searched, form, isFormed: distinct !== values }, known, work) === 0) return [];
  const found: number[] = [];
  for (let i = known.indexOf(1); i >= 0; i = known.indexOf(1, i + 1)) {
    const texts = postings ? textsOf(postings, i) : [i];
    if (found.length + texts.length > most) return undefined;
    for (const text of texts) found.push(text & NUMBER);
  }
  return found;
}

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
  const known = arena.marks(tokens.distinct.size);
  let bits = markTexts(tokens.distinct, { searched: cues, form, isFormed: true }, known, work);
  if (bits > 0) markByTokens(tokens, { known, atEnd: ofTokens && atEnd }, marks, work);
  if (searched instanceof Substrings || ofTokens) return bits;
  for (const each of searched) {
    if ((bits & each.mark) === 0 || isToken(each.substring.toString())) continue;
    bits = (bits & ~each.mark) | keepMarks({ texts: values, form }, each, marks, work);
  }
  return bits;
}
