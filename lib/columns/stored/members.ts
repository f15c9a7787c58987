/** The columns of members, such as `attributes.team`, row by row: of many a row has few, and only these are looked at. */

import { type Members, shownValue, type Value } from '../values/definition.ts';
import type { Mixed } from '../values/mixed.ts';
import type { Sparse } from './codes.ts';

/** By row, one after the other: which columns have it, and with which codes. */
interface Cells {
  /** Where those of each row begin. */
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly codes: Uint32Array;
}

function cellsOf(size: number, sparse: ReadonlyMap<number, Sparse>): Cells {
  const next = new Uint32Array(size + 1);
  for (const { rows } of sparse.values()) for (const row of rows) next[row + 1] = (next[row + 1] ?? 0) + 1;
  for (let row = 0; row < size; row++) next[row + 1] = (next[row + 1] ?? 0) + (next[row] ?? 0);
  const starts = next.slice();
  const columns = new Uint32Array(next[size] ?? 0);
  const codes = new Uint32Array(columns.length);
  for (const [column, cells] of sparse) {
    for (const [i, row] of cells.rows.entries()) {
      const at = next[row] ?? 0;
      columns[at] = column;
      codes[at] = cells.codes[i] ?? 0;
      next[row] = at + 1;
    }
  }
  return { starts, columns, codes };
}

/** In the order of their names, so that equal ones are equal texts. */
export function membersFrom(entries: readonly (readonly [name: string, value: Mixed])[]): Members | undefined {
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A column, as far as rows show it. */
interface Shown {
  /** Its codes, if only few rows have a value. */
  readonly sparse: Sparse | undefined;
  codeOf(row: number): number;
  valueAt(code: number): Value | undefined;
}

/** The columns of the members of one field. */
export class MemberColumns {
  readonly #names: readonly string[];
  readonly #columns: readonly Shown[];
  readonly #cells: Cells;
  /** The columns that most rows have. */
  readonly #dense: readonly number[];

  /** @param columns by the names of members */
  constructor(size: number, columns: ReadonlyMap<string, Shown>) {
    this.#names = [...columns.keys()];
    this.#columns = [...columns.values()];
    const sparse = new Map(this.#columns.flatMap(({ sparse }, i) => (sparse ? [[i, sparse] as const] : [])));
    this.#cells = cellsOf(size, sparse);
    this.#dense = [...this.#columns.keys()].filter((i) => !sparse.has(i));
  }

  at(row: number): Members | undefined {
    const { starts, columns, codes } = this.#cells;
    const found: [name: string, value: Mixed][] = [];
    const add = (i: number, code: number) => {
      const value = shownValue('mixed', this.#columns[i]?.valueAt(code));
      if (value !== undefined) found.push([this.#names[i] ?? '', value]);
    };
    for (const i of this.#dense) add(i, this.#columns[i]?.codeOf(row) ?? 0);
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) add(columns[at] ?? 0, codes[at] ?? 0);
    return membersFrom(found);
  }
}
