/** Looks for parts in a column by the pieces of its texts. Of a part that is no piece, texts that have its longest one are looked at. */
import type { Column } from './column.ts';
import type { Work } from './definition.ts';
import { markTexts, Parts, type Searched, type Wanted } from './parts.ts';
import { isInPiece, isPiece, markPieces, piecesOf } from './pieces.ts';
import { scratch } from './scratch.ts';
import { inSlices, made } from './steps.ts';
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

/** Whether a text has a part. Only one with its first sign is searched, and brought into the form only if it is beyond ASCII. */
function seekerOf(texts: Texts, form: Fold, part: Buffer): (place: number) => boolean {
  const { bytes, ends } = texts;
  const sign = part.find((byte) => !isInPiece(byte));
  if (sign === undefined || !bytes.includes(sign)) return () => false;
  const parts = new Parts([part]);
  const string = part.toString();
  return (place) => {
    const from = texts.start(place);
    const end = ends[place] ?? 0;
    let hasSign = false;
    let all = 0;
    for (let at = from; at <= end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === sign) hasSign = true;
      all |= byte;
    }
    if (!hasSign) return false;
    return all < 128 ? parts.isIn(bytes, from, end) : `${form(texts.text(place))}\0`.includes(string);
  };
}

/** So many texts are looked at by one call: a function that is called often is soon made fast. */
const LOOKED_AT = 1_024;

/** Of the texts that have its mark, leaves it to those that have the part. */
function keepMarks(texts: Texts, form: Fold, { part, mark }: Wanted, marks: Uint8Array, work: Work): number {
  const hasPart = seekerOf(texts, form, part);
  let found = 0;
  const look = (first: number, last: number) => {
    for (let i = first; i < last; i++) {
      const own = marks[i] ?? 0;
      if ((own & mark) === 0) continue;
      const has = hasPart(i) ? mark : 0;
      marks[i] = (own & ~mark) | has;
      found |= has;
    }
  };
  made(inSlices(texts.size, look, LOOKED_AT), () => work.tick());
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
  const pieces = cues && made(column.cutting(), () => work.tick());
  if (!pieces) return markTexts(values, form, searched, marks, false, work);
  const known = scratch.marks(pieces.distinct.size);
  let bits = markTexts(pieces.distinct, form, cues, known, true, work);
  if (bits > 0) markPieces(pieces, known, marks, ofPieces && atEnd);
  if (searched instanceof Parts || ofPieces) return bits;
  for (const each of searched) {
    if ((bits & each.mark) === 0 || isPiece(each.part.toString())) continue;
    bits = (bits & ~each.mark) | keepMarks(values, form, each, marks, work);
  }
  return bits;
}
