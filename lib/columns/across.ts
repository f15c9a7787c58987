/** Looks for parts in a column by the pieces of its texts. Of a part that is no piece, texts that have its longest one are looked at. */
import type { Column } from './column.ts';
import type { Work } from './definition.ts';
import { canHave, markTexts, Parts, type Searched, type Wanted } from './parts.ts';
import { isPiece, markPieces, piecesOf } from './pieces.ts';
import { scratch } from './scratch.ts';
import { inStretches, ticked } from './stretches.ts';
import type { Fold } from './text.ts';
import { Texts } from './texts.ts';

/** So many letters are not in most texts. */
const RARE = 3;

/** What one of the pieces of each text with a part has: the part itself, or its longest piece. undefined where that would be in most texts. */
export function cueOf(part: string): string | undefined {
  if (isPiece(part)) return part;
  const longest = piecesOf(part).reduce((a, b) => (b.length > a.length ? b : a), '');
  return longest.length < RARE ? undefined : longest;
}

/** The cue of each part. undefined if one has none, or if parts share a mark. */
function cuesOf(searched: Searched): readonly Wanted[] | undefined {
  if (searched instanceof Parts) return undefined;
  const cues = searched.map(({ part, mark }) => ({ part: Buffer.from(cueOf(part.toString()) ?? ''), mark }));
  return cues.every(({ part }) => part.length > 0) ? cues : undefined;
}

/** Where one text in so many has a mark, a search of all texts takes less time than to look at each of these. */
const MANY = 16;

/** Marks those of the texts with the mark of a part that have the part. */
function markThose(texts: Texts, form: Fold, { part, mark }: Wanted, marks: Uint8Array, own: Uint8Array, work: Work) {
  const wanted = part.toString();
  const look = (first: number, last: number) => {
    for (let i = first; i < last; i++) {
      const isMarked = ((marks[i] ?? 0) & mark) > 0;
      if (isMarked && `${form(texts.text(i))}\0`.includes(wanted)) own[i] = mark;
    }
  };
  inStretches(texts.size, work, look);
}

/** Of the texts that have its mark, leaves it to those that have the part. */
function keepMarks(texts: Texts, form: Fold, wanted: Wanted, marks: Uint8Array, work: Work): number {
  const own = scratch.marks(texts.size);
  let count = 0;
  inStretches(own.length, work, (from, to) => {
    let some = 0;
    for (let i = from; i < to; i++) some += Number(((marks[i] ?? 0) & wanted.mark) > 0);
    count += some;
  });
  if (count * MANY > own.length) markTexts(texts, form, [wanted], own, false, work);
  else if (canHave(texts, wanted.part)) markThose(texts, form, wanted, marks, own, work);
  let found = 0;
  inStretches(own.length, work, (from, to) => {
    for (let i = from; i < to; i++) {
      found |= own[i] ?? 0;
      marks[i] = (marks[i] ?? 0) & (~wanted.mark | (own[i] ?? 0));
    }
  });
  return found;
}

/** Whether what is searched is of pieces, and must be the end of a text. */
export interface How {
  readonly ofPieces?: boolean;
  readonly atEnd?: boolean;
}

/** Marks the texts of a column that in some form have parts: what has pieces is looked for in each of these once. */
export function markColumn(
  column: Column,
  form: Fold,
  searched: Searched,
  marks: Uint8Array,
  { ofPieces = false, atEnd = false }: How,
  work: Work,
): number {
  const { values } = column;
  if (!(values instanceof Texts) || values.size === 0) return 0;
  const cues = ofPieces ? searched : cuesOf(searched);
  const pieces = cues && ticked(column.cutting(), work);
  if (!pieces) return markTexts(values, form, searched, marks, false, work);
  const known = scratch.marks(pieces.distinct.size);
  let bits = markTexts(pieces.distinct, form, cues, known, true, work);
  if (bits > 0) markPieces(pieces, known, marks, ofPieces && atEnd, work);
  if (searched instanceof Parts || ofPieces) return bits;
  for (const each of searched) {
    if ((bits & each.mark) === 0 || isPiece(each.part.toString())) continue;
    bits = (bits & ~each.mark) | keepMarks(values, form, each, marks, work);
  }
  return bits;
}
