/** Bounds in a column: the values beyond one follow each other, but for arrays, of which each text is compared. */

import type { Column } from '../stored/column.ts';
import { Texts } from '../stored/texts.ts';
import { BOUND_TESTS, type BoundAsk, folded, foldOf } from '../values/definition.ts';
import { ARRAY, EDGE, encoded, NUMBER, TEXT } from '../values/mixed.ts';
import { lowered } from '../values/text.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks, ticked } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';

/** The codes that a bound is compared with, those of arrays aside: of numbers or of texts. */
function comparedWith(column: Column, of: BoundAsk['of']): readonly [first: number, end: number] {
  const { kind, size } = column;
  const isOfNumber = typeof of === 'number';
  if (kind !== 'mixed') return (kind === 'number') === isOfNumber ? [0, size] : [0, 0];
  const [before, behind] = isOfNumber ? [NUMBER, TEXT] : [TEXT, ARRAY];
  return [column.lowerBound(before), column.lowerBound(behind)];
}

/** The codes of numbers, or texts, beyond a bound: from one on, the end is not included. */
function beyondIn(column: Column, { bound, of }: BoundAsk): readonly [from: number, end: number] {
  const { kind } = column;
  const [first, end] = comparedWith(column, of);
  if (first === end) return [first, end];
  const value = kind === 'mixed' ? encoded(of) : of;
  const key = typeof value === 'string' ? folded(kind, value) : value;
  const edge = bound === 'gte' || bound === 'lt' ? column.lowerBound(key) : column.upperBound(key);
  return bound === 'gte' || bound === 'gt' ? [edge, end] : [first, edge];
}

/** The codes that meet a bound, arrays aside: from one on, the end is not included. */
export function runsBeyond(column: Column, ask: BoundAsk, work: Work): (readonly [from: number, end: number])[] {
  const [from, end] = beyondIn(column, ask);
  if (!ask.among || typeof ask.of === 'number') return [[from, end]];
  const edges = ticked(column.reading(ask.among), work);
  const runs: (readonly [from: number, end: number])[] = [];
  // The first pair that has not ended before.
  for (
    let i = firstNot(edges.length >> 1, (pair) => (edges[2 * pair + 1] ?? 0) <= from) * 2;
    i < edges.length;
    i += 2
  ) {
    const run = [Math.max(from, edges[i] ?? 0), Math.min(end, edges[i + 1] ?? 0)] as const;
    if (run[0] >= run[1]) break;
    runs.push(run);
  }
  return runs;
}

/** The texts from one on, which are arrays. */
interface Arrays {
  readonly texts: Texts;
  readonly first: number;
}

/** Marks those of some arrays that have a text beyond a bound. Only those in ASCII, or folded, are compared as they should be. */
function markBeyond({ texts, first }: Arrays, ask: BoundAsk, marks: Uint8Array, work: Work): void {
  const { bytes, ends } = texts;
  const isMet = BOUND_TESTS[ask.bound];
  const { among } = ask;
  const key = Buffer.from(folded('mixed', ask.of) + EDGE);
  const edge = EDGE.charCodeAt(0);
  const differenceAt = (at: number): number => {
    let i = 0;
    while (i < key.length && lowered(bytes[at + i] ?? 0) === key[i]) i++;
    return i < key.length ? lowered(bytes[at + i] ?? 0) - (key[i] ?? 0) : 0;
  };
  const isBeyond = (from: number, end: number): boolean => {
    for (let at = from; at < end; at++) {
      const start = at;
      while (at < end && bytes[at] !== edge) at++;
      if (isMet(differenceAt(start)) && (!among || among(bytes, start, at) !== undefined)) return true;
    }
    return false;
  };
  overChunks(ends.length - first, work, (from, to) => {
    for (let i = first + from; i < first + to; i++) {
      // In front of its first text an array has two bytes.
      marks[i] = Number(isBeyond((i === 0 ? 0 : (ends[i - 1] ?? 0) + 1) + 2, ends[i] ?? 0));
    }
  });
}

/** Marks the codes of a column of members that are beyond a text. */
export function markBound(column: Column, ask: BoundAsk, marks: Uint8Array, work: Work): void {
  const { values, kind } = column;
  const arrays = column.lowerBound(ARRAY);
  if (!(values instanceof Texts)) return;
  ticked(values.unpacking(), work);
  markBeyond({ texts: values, first: arrays }, ask, marks, work);
  const { indexes, texts } = ticked(values.forming(foldOf(kind)), work);
  const first = indexes.findIndex((index) => index >= arrays);
  if (first >= 0) {
    const found = new Uint8Array(indexes.length);
    markBeyond({ texts, first }, ask, found, work);
    for (let i = first; i < found.length; i++) marks[indexes[i] ?? 0] = found[i] ?? 0;
  }
  for (const [from, end] of runsBeyond(column, ask, work)) marks.fill(1, from, end);
}
