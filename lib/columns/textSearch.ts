/** Looks for substrings in a column by the tokens of its texts. Of a substring that is no token, texts that have its longest one are looked at. */

import { arena } from './arena.ts';
import { overChunks, ticked } from './chunks.ts';
import type { Column } from './column.ts';
import type { Work } from './definition.ts';
import { canHave, markTexts, type Searched, Substrings, type Wanted } from './substrings.ts';
import type { Fold } from './text.ts';
import { Texts } from './texts.ts';
import { isToken, markTokens, tokensOf } from './tokens.ts';

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

/** Marks those of the texts with the mark of a substring that have the substring. */
function markThose(
  texts: Texts,
  form: Fold,
  { substring, mark }: Wanted,
  marks: Uint8Array,
  own: Uint8Array,
  work: Work,
) {
  const wanted = substring.toString();
  const look = (first: number, last: number) => {
    for (let i = first; i < last; i++) {
      const isMarked = ((marks[i] ?? 0) & mark) > 0;
      if (isMarked && `${form(texts.text(i))}\0`.includes(wanted)) own[i] = mark;
    }
  };
  overChunks(texts.size, work, look);
}

/** Of the texts that have its mark, leaves it to those that have the substring. */
function keepMarks(texts: Texts, form: Fold, wanted: Wanted, marks: Uint8Array, work: Work): number {
  const own = arena.marks(texts.size);
  let count = 0;
  overChunks(own.length, work, (from, to) => {
    let some = 0;
    for (let i = from; i < to; i++) some += Number(((marks[i] ?? 0) & wanted.mark) > 0);
    count += some;
  });
  if (count * MANY > own.length) markTexts(texts, form, [wanted], own, false, work);
  else if (canHave(texts, wanted.substring)) markThose(texts, form, wanted, marks, own, work);
  let found = 0;
  overChunks(own.length, work, (from, to) => {
    for (let i = from; i < to; i++) {
      found |= own[i] ?? 0;
      marks[i] = (marks[i] ?? 0) & (~wanted.mark | (own[i] ?? 0));
    }
  });
  return found;
}

/** Whether what is searched is of tokens, and must be the end of a text. */
export interface How {
  readonly ofTokens?: boolean;
  readonly atEnd?: boolean;
}

/** Marks the texts of a column that in some form have substrings: what has tokens is looked for in each of these once. */
export function markColumn(
  column: Column,
  form: Fold,
  searched: Searched,
  marks: Uint8Array,
  { ofTokens = false, atEnd = false }: How,
  work: Work,
): number {
  const { values } = column;
  if (!(values instanceof Texts) || values.size === 0) return 0;
  const cues = ofTokens ? searched : cuesOf(searched);
  const tokens = cues && ticked(column.tokenizing(), work);
  if (!tokens) return markTexts(values, form, searched, marks, false, work);
  const known = arena.marks(tokens.distinct.size);
  let bits = markTexts(tokens.distinct, form, cues, known, true, work);
  if (bits > 0) markTokens(tokens, known, marks, ofTokens && atEnd, work);
  if (searched instanceof Substrings || ofTokens) return bits;
  for (const each of searched) {
    if ((bits & each.mark) === 0 || isToken(each.substring.toString())) continue;
    bits = (bits & ~each.mark) | keepMarks(values, form, each, marks, work);
  }
  return bits;
}
