/** The codes that meet what is asked of a column: as values are sorted, most of them follow each other. */

import type { Column } from '../stored/column.ts';
import { type Ask, folded, ignoresCase, substringsIn, testOf } from '../values/definition.ts';
import { ARRAY, encoded, type Mixed } from '../values/mixed.ts';
import type { Work } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';
import { runsBeyond } from './bounds.ts';

/** Codes from one on, as long as they meet an ask; the end is not included. */
export type Run = readonly [from: number, end: number];

function runFrom(column: Column, from: number, ask: Ask): Run {
  const test = testOf(column.kind, ask);
  const meetsAt = (code: number): boolean => {
    const value = column.valueAt(code) ?? '';
    return test(value, folded(column.kind, value));
  };
  return [from, from + firstNot(column.size - from, (i) => meetsAt(from + i))];
}

/** In their order, each code once. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  let last = 0;
  for (const [from, end] of runs.toSorted(([a], [b]) => a - b)) {
    if (end > last) all.push([Math.max(from, last), end]);
    last = Math.max(last, end);
  }
  return all.filter(([from, end]) => from < end);
}

/** The codes that are in none of some joined runs. */
function others(runs: readonly Run[], size: number): Run[] {
  const starts = [...runs.map(([from]) => from), size];
  return [0, ...runs.map(([, end]) => end)]
    .map((end, i): Run => [end, starts[i] ?? size])
    .filter(([from, end]) => from < end);
}

/** The first code that is not before a value. */
function boundOf(column: Column, given: Mixed): number {
  const { kind } = column;
  const value = kind === 'mixed' ? encoded(given) : String(given);
  const key = kind === 'number' ? Number(given) : folded(kind, value);
  return column.lowerBound(key, ignoresCase(kind) ? undefined : value);
}

/** The codes of some values, without arrays that have them. */
export function codesOf(column: Column, values: readonly Mixed[]): readonly Run[] {
  return joined(
    values.map((value): Run => {
      const from = boundOf(column, value);
      if (column.kind !== 'mixed') return runFrom(column, from, { any: [value] });
      return [from, from + Number(column.valueAt(from) === encoded(value))];
    }),
  );
}

/** Whether arrays have to be looked at. */
const isOfArrays = (column: Column): boolean => column.kind === 'mixed' && column.lowerBound(ARRAY) < column.size;

/** The codes that meet an ask. The last code is that of users without a value. undefined: by marks. */
export function runsOf(column: Column, ask: Ask, work: Work): readonly Run[] | undefined {
  const { size, kind } = column;
  if ('missing' in ask) return [ask.missing ? [size, size + 1] : [0, size]];
  if ('any' in ask) return isOfArrays(column) ? undefined : codesOf(column, ask.any);
  if ('none' in ask) return isOfArrays(column) ? undefined : others(codesOf(column, ask.none), size + 1);
  if ('substrings' in ask) {
    if (ask.at !== 'startsWith' || kind === 'mixed') return undefined;
    const { at } = ask;
    return joined(
      substringsIn(kind, ask.substrings).map((substring) =>
        runFrom(column, column.lowerBound(substring), { substrings: [substring], at }),
      ),
    );
  }
  return typeof ask.of === 'string' && isOfArrays(column) ? undefined : runsBeyond(column, ask, work);
}
