/**
 * Columns of numbers that most rows have by their ids: the moment of the last change, which for most is that of the creation. A base is stored
 * without what ids say, and shows rows without it. The whole column is made when a question first needs it.
 */
import { inChunks, type Steps } from '../work/chunks.ts';
import type { Spared } from './base.ts';
import { storedCodes } from './codes.ts';
import { Column } from './column.ts';
import { Numbers } from './numbers.ts';

type NumberOf = (id: number) => number;

/** By field: the number that an id says. A greater id says none that is less. */
export type Carried = Readonly<Record<string, NumberOf>>;

/** Stored in the place of no value. It is below all values. */
const NONE = -1;

const NO_EQUALS = new Uint32Array(0);

/** @param ids of all rows */
export function* sparedOf(whole: Column, ids: Float64Array, numberOf: NumberOf): Steps<Column> {
  const { size } = whole;
  const codes = yield* whole.coding();
  const stays = new Uint8Array(size + 1);
  const rows = new Uint32Array(codes.length);
  let count = 0;
  yield* inChunks(codes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const code = codes[row] ?? 0;
      if (code < size && whole.valueAt(code) === numberOf(ids[row] ?? 0)) continue;
      stays[code] = 1;
      rows[count++] = row;
    }
  });
  const moves = new Uint32Array(size + 1);
  const values = new Float64Array(size + 1);
  let found = 0;
  if (stays[size] === 1) values[found++] = NONE;
  yield* inChunks(size, (from, to) => {
    for (let code = from; code < to; code++) {
      moves[code] = found;
      if (stays[code] === 1) values[found++] = Number(whole.valueAt(code));
    }
  });
  const own = rows.subarray(0, count);
  const stored = Uint32Array.from(own, (row) => moves[codes[row] ?? 0] ?? 0);
  return new Column(
    'number',
    new Numbers(values.slice(0, found)),
    storedCodes(own.slice(), stored, codes.length, found),
    NO_EQUALS,
  );
}

/** The values of both kinds, merged: those of ids ascend with the rows. */
function* wholeOf(column: Column, numberOf: NumberOf, ids: Float64Array): Steps<Column> {
  const { size } = column;
  const stored = yield* column.coding();
  const codes = new Uint32Array(stored.length);
  const values = new Float64Array(stored.length + size);
  const moves = new Uint32Array(size);
  const first = column.valueAt(0) === NONE ? 1 : 0;
  let [found, next] = [0, first];
  const add = (value: number): number => {
    if (found === 0 || values[found - 1] !== value) values[found++] = value;
    return found - 1;
  };
  const addUntil = (value: number) => {
    for (; next < size; next++) {
      const own = Number(column.valueAt(next));
      if (own > value) return;
      moves[next] = add(own);
    }
  };
  yield* inChunks(stored.length, (from, to) => {
    for (let row = from; row < to; row++) {
      if ((stored[row] ?? 0) < size) continue;
      const value = numberOf(ids[row] ?? 0);
      addUntil(value);
      codes[row] = add(value);
    }
  });
  addUntil(Number.POSITIVE_INFINITY);
  if (first === 1) moves[0] = found;
  yield* inChunks(stored.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const code = stored[row] ?? 0;
      if (code < size) codes[row] = moves[code] ?? 0;
    }
  });
  return new Column('number', new Numbers(values.subarray(0, found)), codes, NO_EQUALS);
}

/** @param column as it is stored: rows without a code have what their ids say */
export const spared = (column: Column, numberOf: NumberOf): Spared => ({
  whole: (ids) => wholeOf(column, numberOf, ids),
  valueAt(row, id) {
    const value = column.valueAt(column.codeOf(row));
    if (value === undefined) return numberOf(id);
    return value === NONE ? undefined : value;
  },
});
