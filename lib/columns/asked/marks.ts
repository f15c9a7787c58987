/** Marks the codes that meet what is asked of a column, where they do not follow each other. */

import type { Column } from '../stored/column.ts';
import { Texts } from '../stored/texts.ts';
import { isToken } from '../stored/tokens.ts';
import { type Ask, foldOf, meeting, substringsIn } from '../values/definition.ts';
import { ARRAY, isPlace, type Mixed, membersIn, type Place, substringsAt, TEXT } from '../values/mixed.ts';
import { arena } from '../work/arena.ts';
import { overChunks, type Work } from '../work/chunks.ts';
import { markBound } from './bounds.ts';
import { codesOf } from './runs.ts';
import { Substrings } from './substrings.ts';
import { markColumn } from './textSearch.ts';

/** Marks the codes of some values, and of arrays that have them. */
function markValues(column: Column, values: readonly Mixed[], marks: Uint8Array, work: Work): void {
  for (const [from, end] of codesOf(column, values)) marks.fill(1, from, end);
  const members = membersIn(values).map((member) => Buffer.from(member));
  if (column.values instanceof Texts)
    new Substrings(members, true).mark(column.values, marks, work, column.lowerBound(ARRAY));
}

/** Marks the codes of all values but some, and that of no value. */
function markOthers(column: Column, values: readonly Mixed[], marks: Uint8Array, work: Work): void {
  markValues(column, values, marks, work);
  overChunks(marks.length, work, (from, to) => {
    for (let code = from; code < to; code++) marks[code] = 1 - (marks[code] ?? 0);
  });
}

/** Marks the codes whose values meet an ask, by its definition: for asks that have no faster way. */
function markTested(column: Column, ask: Ask, marks: Uint8Array, work: Work): void {
  const isMet = meeting(column.kind, ask);
  overChunks(column.size, work, (from, to) => {
    for (let code = from; code < to; code++) marks[code] = Number(isMet(column.valueAt(code)));
  });
}

/** The question about a substring at a place that is searched. */
interface Placed {
  readonly substrings: readonly string[];
  readonly at: Place;
}

/** Marks the codes of texts that have one of some substrings. */
function markSubstrings(column: Column, ask: Placed, marks: Uint8Array, work: Work): void {
  const { kind, size } = column;
  const { at } = ask;
  const substrings = substringsIn(kind, ask.substrings);
  const isEncoded = kind === 'mixed';
  const atEnd = at === 'endsWith';
  // Behind each text is a NUL.
  const ended = () => substrings.map((substring) => (atEnd ? `${substring}\0` : substring));
  const keys = isEncoded ? substringsAt(substrings, at) : ended();
  const ofTokens = (isEncoded ? keys : substrings).every(isToken);
  const bytes = keys.map((key) => Buffer.from(key));
  const searched = bytes.length > 1 ? new Substrings(bytes) : bytes.map((substring) => ({ substring, mark: 1 }));
  if (keys.includes('')) marks.fill(1, 0, size);
  else markColumn(column, { searched, form: foldOf(kind), ofTokens, atEnd }, marks, work);
  if (isEncoded) marks.fill(0, 0, column.lowerBound(TEXT));
}

/** By code: 1 if users with it meet an ask. */
export function marksOf(column: Column, ask: Ask, work: Work): Uint8Array {
  const marks = arena.marks(column.size + 1);
  // Numbers are always in runs.
  if (!(column.values instanceof Texts)) return marks;
  if ('any' in ask) markValues(column, ask.any, marks, work);
  else if ('none' in ask) markOthers(column, ask.none, marks, work);
  else if ('bound' in ask) markBound(column, ask, marks, work);
  else if ('substrings' in ask && isPlace(ask.at)) markSubstrings(column, { ...ask, at: ask.at }, marks, work);
  else markTested(column, ask, marks, work);
  return marks;
}
