import { folded, ignoresCase, type Kind, type Value } from './definition.ts';
import type { Kept, Made } from './kept.ts';
import { cut, type Pieces } from './pieces.ts';
import { Sparse, type StoredPlaces } from './places.ts';
import { inSlices, made, Resumed, type Steps } from './steps.ts';
import { plain } from './text.ts';
import { firstNot, Texts } from './texts.ts';

/** Rows by key, ascending among equal ones: those with a key begin at its start. So an order is all, a value a slice. */
export interface Sorted {
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
}

/** @param end above all keys */
export function* sortedBy(keys: Uint32Array, end: number): Steps<Sorted> {
  const starts = new Uint32Array(end + 1);
  yield* inSlices(keys.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const after = (keys[row] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
  });
  yield* inSlices(end, (from, to) => {
    for (let key = from + 1; key <= to; key++) starts[key] = (starts[key] ?? 0) + (starts[key - 1] ?? 0);
  });
  const next = starts.slice();
  const rows = new Uint32Array(keys.length);
  yield* inSlices(keys.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const key = keys[row] ?? 0;
      const at = next[key] ?? 0;
      rows[at] = row;
      next[key] = at + 1;
    }
  });
  return { rows, starts };
}

/**
 * One field of all users of a base: its distinct values, sorted, and the place of each user's value among them.
 *
 * - Numbers are sorted by size, texts by the folded text, then by the text itself.
 * - Users without a value have the place behind the last one, so they sort last.
 * - `equals` are the places whose text folds as the one before. They are few, and stored, so that nothing must be
 *   folded to sort.
 */
export class Column implements Made {
  readonly kind: Kind;
  readonly size: number;
  readonly values: Texts | Float64Array;
  readonly equals: Uint32Array;
  #stored: StoredPlaces | undefined;
  #places: Uint32Array | undefined;
  #keys: Uint32Array | undefined;
  #sorted: Sorted | undefined;
  #cut: { readonly pieces: Pieces | undefined } | undefined;
  readonly #cutting = new Resumed(() => this.#cutAll());
  #kept: Kept | undefined;

  constructor(kind: Kind, values: Texts | Float64Array, places: Uint32Array | StoredPlaces, equals: Uint32Array) {
    this.kind = kind;
    this.size = values instanceof Texts ? values.size : values.length;
    this.values = values;
    if (places instanceof Uint32Array) this.#places = places;
    else this.#stored = places;
    this.equals = equals;
  }

  /** Counts what is made of it, and may forget it. Its places are stored, so all can be made again. */
  keepIn(kept: Kept): void {
    this.#kept = kept;
  }

  get places(): Uint32Array {
    return this.#places ?? made(this.placing());
  }

  *placing(): Steps<Uint32Array> {
    if (this.#places || !this.#stored) return this.#places ?? new Uint32Array(0);
    this.#places = yield* this.#stored.all();
    // Those of members can be forgotten. Of others both would be kept: three bytes a row more.
    if (this.kind !== 'mixed' && !this.sparse) this.#stored = undefined;
    this.#kept?.made(this);
    return this.#places;
  }

  /** Of a stored base: all places and texts. */
  *unpacking(): Steps<void> {
    yield* this.placing();
    if (this.values instanceof Texts) yield* this.values.unpacking();
  }

  /** Of one row: those of all are not made for it. */
  placeOf(row: number): number {
    return (this.#places ? this.#places[row] : this.#stored?.at(row)) ?? this.size;
  }

  /** The stored places, if only few rows have a value. */
  get sparse(): Sparse | undefined {
    return this.#stored instanceof Sparse ? this.#stored : undefined;
  }

  /** The rows that have a value, and their places. */
  *having(): Steps<Pick<Sparse, 'rows' | 'places'>> {
    if (this.sparse) return this.sparse;
    const all = this.#places ?? (this.#stored && (yield* this.#stored.all())) ?? new Uint32Array(0);
    yield;
    const rows = new Uint32Array(all.length);
    let count = 0;
    yield* inSlices(all.length, (from, to) => {
      for (let row = from; row < to; row++) {
        rows[count] = row;
        count += Number((all[row] ?? 0) < this.size);
      }
    });
    return { rows: rows.subarray(0, count), places: all.filter((place) => place < this.size) };
  }

  get bytes(): number {
    const { rows, starts } = this.#sorted ?? {};
    const { pieces } = this.#cut ?? {};
    const arrays = [this.#stored && this.#places, this.#keys, rows, starts, pieces?.numbers.buffer];
    const texts = pieces ? pieces.distinct.length + 4 * pieces.distinct.size + pieces.distinct.formBytes : 0;
    const forms = this.values instanceof Texts ? this.values.formBytes : 0;
    return arrays.reduce((sum, each) => sum + (each?.byteLength ?? 0), texts + forms);
  }

  forget(): void {
    if (!this.#stored) return;
    this.#places = undefined;
    this.#keys = undefined;
    this.#sorted = undefined;
    this.#cut = undefined;
    if (this.values instanceof Texts) this.values.forgetForms();
  }

  valueAt(place: number): Value | undefined {
    if (place >= this.size) return undefined;
    return this.values instanceof Texts ? this.values.text(place) : this.values[place];
  }

  /** By row: what is compared when users are sorted. undefined if it is not made. */
  get keys(): Uint32Array | undefined {
    return this.#keys ?? (this.equals.length === 0 ? this.#places : undefined);
  }

  *keying(): Steps<Uint32Array> {
    if (this.#keys || this.equals.length === 0) return this.#keys ?? (yield* this.placing());
    const places = yield* this.placing();
    const firsts = new Uint32Array(this.size + 1);
    yield* inSlices(firsts.length, (from, to) => {
      for (let place = from; place < to; place++) firsts[place] = place;
    });
    yield* inSlices(this.equals.length, (from, to) => {
      for (const place of this.equals.subarray(from, to)) firsts[place] = firsts[place - 1] ?? 0;
    });
    const keys = new Uint32Array(places.length);
    yield* inSlices(keys.length, (from, to) => {
      for (let row = from; row < to; row++) keys[row] = firsts[places[row] ?? 0] ?? 0;
    });
    this.#keys = keys;
    this.#kept?.made(this);
    return keys;
  }

  /** Of one row: those of all are not made for it. */
  keyOf(row: number): number {
    if (this.#keys) return this.#keys[row] ?? 0;
    let place = this.placeOf(row);
    const { equals } = this;
    // Most columns have none.
    for (let i = firstNot(equals.length, (i) => (equals[i] ?? 0) < place); equals[i] === place; i--) place--;
    return place;
  }

  get isSorted(): boolean {
    return this.#sorted !== undefined;
  }

  /** Made when it is first asked for: ten milliseconds at a million rows, and as much memory as the keys. */
  *sorting(): Steps<Sorted> {
    if (this.#sorted) return this.#sorted;
    const sorted = yield* sortedBy(yield* this.keying(), this.size + 1);
    this.#sorted = sorted;
    this.#kept?.made(this);
    return sorted;
  }

  get isCut(): boolean {
    return this.#cut !== undefined;
  }

  /** The pieces of its texts, for parts of them. */
  cutting(): Steps<Pieces | undefined> {
    return this.#cutting.all();
  }

  *#cutAll(): Steps<Pieces | undefined> {
    if (!this.#cut && this.values instanceof Texts) {
      const pieces = yield* cut(this.values);
      yield* pieces?.distinct.forming(plain) ?? [];
      this.#cut = { pieces };
      this.#kept?.made(this);
    }
    return this.#cut?.pieces;
  }

  /** The first place not before a number or a folded text; with `exact`, not before it among those that fold alike. */
  lowerBound(key: Value, exact?: string): number {
    const { values } = this;
    if (!(values instanceof Texts)) return firstNot(this.size, (place) => (values[place] ?? 0) < Number(key));
    const text = Buffer.from(String(key));
    const whole = exact === undefined ? undefined : Buffer.from(exact);
    return firstNot(
      this.size,
      (place) => (values.compareFolded(place, text) || (whole ? values.compare(place, whole) : 0)) < 0,
    );
  }

  /** 2 · place + 1 of what sorts equal to a value, or is it exactly; 2 · place if it would be just before it. */
  positionOf(value: Value | undefined, text: string, isExact = !ignoresCase(this.kind)): number {
    if (value === undefined) return 2 * this.size + 1;
    const place =
      typeof value === 'number' ? this.lowerBound(value) : this.lowerBound(text, isExact ? value : undefined);
    const found = this.valueAt(place);
    const isThere = found !== undefined && (isExact ? found === value : folded(this.kind, found) === text);
    return 2 * place + Number(isThere);
  }
}
