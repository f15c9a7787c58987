import {
  type Derived,
  derivedIn,
  fieldsOf,
  foldOf,
  type Kind,
  type Kinds,
  kindOf,
  type Members,
  type Row,
  type Value,
} from '../values/definition.ts';
import { inChunks, made, Resumed, type Steps } from '../work/chunks.ts';
import { Kept } from '../work/kept.ts';
import { firstNot } from '../work/search.ts';
import { Sparse } from './codes.ts';
import { Column } from './column.ts';
import { derivedOf } from './derived.ts';
import { MemberColumns } from './members.ts';
import { Numbers } from './numbers.ts';
import { Texts } from './texts.ts';

/** A column that is stored without what ids say: carried.ts. */
export interface Spared {
  whole(ids: Float64Array): Steps<Column>;
  /** The value of one row: those of all are not made for it. */
  valueAt(row: number, id: number): Value | undefined;
}

/** Each part is made when it is asked for, which is once. */
export interface Source {
  /** Ascending. */
  ids(): Float64Array;
  /** @returns undefined if nobody has a value, or for a derived column that must be made */
  column(key: string): Column | undefined;
  /** @returns undefined for a column that is stored whole */
  spared?(field: string): Spared | undefined;
}

/** A user with only the fields of some kinds, in their order. */
export function rowWith(kinds: Kinds, id: number, valueIn: (field: string) => Value | Members | undefined): Row {
  const row: { id: number; [field: string]: Value | Members } = { id };
  for (const field of fieldsOf(kinds)) {
    const value = valueIn(field);
    if (value !== undefined) row[field] = value;
  }
  return row;
}

const NONE = new Uint32Array(0);

/** All users of a moment in columns, in the order of their ids. It never changes; `compactedBase` makes the next one. */
export class Base {
  readonly kinds: Kinds;
  readonly size: number;
  /** The columns that it was made with, in this kind. A field of `kinds` that is not among them has no values. */
  readonly made: readonly string[];
  /** Those of them that are of members. */
  readonly names: readonly string[];
  readonly #source: Source;
  readonly #columns = new Map<string, Column>();
  /** Of which the whole columns are not made. */
  readonly #spared = new Map<string, Spared | undefined>();
  readonly #keys = new Map<number, Uint32Array>();
  readonly #derived = new Map<string, Resumed<Column>>();
  readonly #ofNames = new Map<string, Column>();
  /** Counts what is made of columns of members, here and of the users who have changed since. */
  readonly kept: Kept;
  readonly #members = new Map<string, MemberColumns>();
  #none: Column | undefined;
  #ids: Float64Array | undefined;

  constructor(kinds: Kinds, size: number, made: readonly string[], source: Source) {
    this.kinds = kinds;
    this.size = size;
    this.kept = new Kept(size);
    this.made = made;
    this.names = made.filter((name) => !Object.hasOwn(kinds, name));
    this.#source = source;
  }

  get ids(): Float64Array {
    this.#ids ??= this.#source.ids();
    return this.#ids;
  }

  /** @throws {RangeError} if there is no such field */
  column(field: string): Column {
    return this.#columns.get(field) ?? made(this.#opening(field));
  }

  *#opening(field: string): Steps<Column> {
    const kind = kindOf(this.kinds, field);
    if (kind === undefined) throw new RangeError(`There is no field ${field}`);
    if (kind === 'mixed') return this.ofName(field);
    const derived = derivedIn(this.kinds, field);
    if (derived) return yield* this.#deriving(field, derived);
    const spared = this.#sparedOf(field);
    const whole = spared && (yield* spared.whole(this.ids));
    const column = whole ?? this.#source.column(field) ?? this.#empty(kind);
    this.#columns.set(field, column);
    this.#spared.delete(field);
    return column;
  }

  #sparedOf(field: string): Spared | undefined {
    if (!this.#spared.has(field)) this.#spared.set(field, this.#source.spared?.(field));
    return this.#spared.get(field);
  }

  /** A derived column is made in steps. */
  *opening(field: string): Steps<Column> {
    return this.#columns.get(field) ?? (yield* this.#opening(field));
  }

  *#deriving(field: string, derived: Derived): Steps<Column> {
    const making = this.#derived.get(field) ?? new Resumed(() => this.#derive(field, derived));
    this.#derived.set(field, making);
    const column = yield* making.all();
    this.#columns.set(field, column);
    return column;
  }

  *#derive(field: string, derived: Derived): Steps<Column> {
    const known = this.#columns.get(field) ?? this.#source.column(field);
    if (known) return known;
    const source = this.column(derived.of);
    const { values, codes } = yield* derivedOf(source, this.size, derived);
    return new Column(source.kind, values, codes, NONE);
  }

  #empty(kind: Kind): Column {
    const values = kind === 'number' ? new Numbers(new Float64Array(0)) : new Texts(Buffer.alloc(0), 0, foldOf(kind));
    return new Column(kind, values, new Sparse(NONE, NONE, this.size, 0), NONE);
  }

  /** The column of members with a name. Names that nobody has share one: many of them take no memory. */
  ofName(name: string): Column {
    const known = this.#ofNames.get(name);
    const column = known ?? this.#source.column(name);
    if (column) this.#ofNames.set(name, column);
    if (!known) column?.keepIn(this.kept);
    this.#none ??= this.#empty('mixed');
    const found = column ?? this.#none;
    this.kept.use(found);
    return found;
  }

  #membersAt(field: string, row: number): Members | undefined {
    // All rows would be passed for nothing.
    if (this.names.length === 0) return undefined;
    let members = this.#members.get(field);
    if (!members) {
      const names = this.names.filter((name) => name.startsWith(`${field}.`));
      members = new MemberColumns(
        this.size,
        new Map(names.map((name) => [name.slice(field.length + 1), this.ofName(name)])),
      );
      this.#members.set(field, members);
    }
    return members.at(row);
  }

  /** The derived columns that were made of all texts. */
  get derived(): string[] {
    return [...this.#columns.keys()].filter((field) => derivedIn(this.kinds, field)?.behind !== undefined);
  }

  /** The first row whose id is not below one. */
  rowOf(id: number): number {
    const { ids } = this;
    return firstNot(this.size, (row) => (ids[row] ?? 0) < id);
  }

  rowAt(row: number): Row {
    return rowWith(this.kinds, this.ids[row] ?? 0, (field) => {
      if (this.kinds[field] === 'members') return this.#membersAt(field, row);
      const spared = this.#columns.has(field) ? undefined : this.#sparedOf(field);
      if (spared) return spared.valueAt(row, this.ids[row] ?? 0);
      const column = this.column(field);
      return column.valueAt(column.codeOf(row));
    });
  }

  /** Those that `keying` was asked for. */
  get multiples(): Iterable<number> {
    return [...this.#keys.keys()];
  }

  /** By row: the first row whose id is of the same multiple. With 1, each row itself. */
  *keying(per: number): Steps<Uint32Array> {
    const known = this.#keys.get(per);
    if (known) return known;
    const { ids } = this;
    const keys = new Uint32Array(this.size);
    let [first, last] = [0, -1];
    yield* inChunks(keys.length, (from, to) => {
      for (let row = from; row < to; row++) {
        const multiple = per === 1 ? row : Math.floor((ids[row] ?? 0) / per);
        if (multiple !== last) first = row;
        last = multiple;
        keys[row] = first;
      }
    });
    this.#keys.set(per, keys);
    return keys;
  }
}

/** The columns that are stored whatever members have. */
export const columnsOf = (kinds: Kinds): string[] => fieldsOf(kinds).filter((field) => kinds[field] !== 'members');

export const emptyBase = (kinds: Kinds): Base =>
  new Base(kinds, 0, columnsOf(kinds), { ids: () => new Float64Array(0), column: () => undefined });
