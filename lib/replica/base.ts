import { Column } from './column.ts';
import { foldOf, type Kinds, type Row, type Value } from './definition.ts';
import { tailsOf } from './tails.ts';
import { firstNot, Texts } from './texts.ts';

/** Each part is made when it is first asked for. */
export interface Parts {
  /** Ascending. */
  ids(): Float64Array;
  /** @returns undefined if nobody has a value, or for tails that must be made */
  column(key: string): Column | undefined;
}

/** A user with only the fields of some kinds, in their order. */
export function rowWith(kinds: Kinds, id: number, valueIn: (field: string) => Value | undefined): Row {
  const row: { id: number; [field: string]: Value } = { id };
  for (const field of Object.keys(kinds)) {
    const value = valueIn(field);
    if (value !== undefined) row[field] = value;
  }
  return row;
}

/** All users of a moment in columns, in the order of their ids. It never changes; `mergeBase` makes the next one. */
export class Base {
  readonly kinds: Kinds;
  readonly size: number;
  /** The fields that it was made with, in this kind. A field of `kinds` that is not among them has no values. */
  readonly made: readonly string[];
  readonly #parts: Parts;
  readonly #columns = new Map<string, Column>();
  readonly #keys = new Map<number, Uint32Array>();
  #ids: Float64Array | undefined;

  constructor(kinds: Kinds, size: number, made: readonly string[], parts: Parts) {
    this.kinds = kinds;
    this.size = size;
    this.made = made;
    this.#parts = parts;
  }

  get ids(): Float64Array {
    this.#ids ??= this.#parts.ids();
    return this.#ids;
  }

  /**
   * @param behind an ASCII character: then what the field has behind the last of it, made when it is first asked for
   * @throws {RangeError} if there is no such field
   */
  column(field: string, behind = ''): Column {
    const kind = Object.hasOwn(this.kinds, field) ? this.kinds[field] : undefined;
    if (kind === undefined) throw new RangeError(`There is no field ${field}`);
    const empty = () => (kind === 'number' ? new Float64Array(0) : new Texts(Buffer.alloc(0), 0, foldOf(kind)));
    const make = () =>
      behind === ''
        ? new Column(kind, empty(), new Uint32Array(this.size), new Uint32Array(0))
        : tailsOf(this.column(field), behind);
    const key = behind + field;
    const column = this.#columns.get(key) ?? this.#parts.column(key) ?? make();
    this.#columns.set(key, column);
    return column;
  }

  /** Which tails were asked for. */
  get tails(): (readonly [field: string, behind: string])[] {
    const keys = [...this.#columns.keys()].filter((key) => !Object.hasOwn(this.kinds, key));
    return keys.map((key) => [key.slice(1), key.slice(0, 1)]);
  }

  /** The first row whose id is not below one. */
  rowOf(id: number): number {
    const { ids } = this;
    return firstNot(this.size, (row) => (ids[row] ?? 0) < id);
  }

  rowAt(row: number): Row {
    return rowWith(this.kinds, this.ids[row] ?? 0, (field) => {
      const column = this.column(field);
      return column.valueAt(column.placeOf(row));
    });
  }

  /** Those that `keysPer` was asked for. */
  get multiples(): Iterable<number> {
    return [...this.#keys.keys()];
  }

  /** By row: the first row whose id is of the same multiple. With 1, each row itself. */
  keysPer(per: number): Uint32Array {
    let keys = this.#keys.get(per);
    if (keys === undefined) {
      keys = new Uint32Array(this.size);
      const multiple = (row: number) => Math.floor((this.ids[row] ?? 0) / per);
      for (let row = 0; row < this.size; row++) {
        keys[row] = per > 1 && row > 0 && multiple(row) === multiple(row - 1) ? (keys[row - 1] ?? 0) : row;
      }
      this.#keys.set(per, keys);
    }
    return keys;
  }
}

export const emptyBase = (kinds: Kinds): Base =>
  new Base(kinds, 0, Object.keys(kinds), { ids: () => new Float64Array(0), column: () => undefined });
