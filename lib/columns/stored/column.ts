import { folded, ignoresCase, type Kind, type Value } from '../values/definition.ts';
import { ARRAY, TEXT } from '../values/mixed.ts';
import type { NumberIn } from '../values/text.ts';
import { foldCase, plain } from '../values/text.ts';
import { inChunks, made, Resumed, type Steps } from '../work/chunks.ts';
import type { Kept, Made } from '../work/kept.ts';
import { firstNot } from '../work/search.ts';
import { Sparse, type StoredCodes } from './codes.ts';
import { type MemberNames, namesOfMembers } from './memberNames.ts';
import type { Numbers } from './numbers.ts';
import { readableIn } from './readable.ts';
import { Texts } from './texts.ts';
import { type Postings, tokenize } from './tokens.ts';

/** Rows by key, ascending among equal ones: those with a key begin at its start. So an order is all, a value a slice. */
export interface Sorted {
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
}

/** @param end above all keys */
export function* sortedBy(keys: Uint32Array, end: number): Steps<Sorted> {
  const starts = new Uint32Array(end + 1);
  yield* inChunks(keys.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const after = (keys[row] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
  });
  yield* inChunks(end, (from, to) => {
    for (let key = from + 1; key <= to; key++) starts[key] = (starts[key] ?? 0) + (starts[key - 1] ?? 0);
  });
  const next = starts.slice();
  const rows = new Uint32Array(keys.length);
  yield* inChunks(keys.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const key = keys[row] ?? 0;
      const at = next[key] ?? 0;
      rows[at] = row;
      next[key] = at + 1;
    }
  });
  return { rows, starts };
}

/** The tokens that texts share: tokens.ts. */
export interface Tokens {
  readonly distinct: Texts;
  readonly postings: Postings | undefined;
}

/**
 * One field of all users of a base: its distinct values, sorted, and the code of each user's value among them.
 *
 * - Numbers are sorted by size, texts by the folded text, then by the text itself.
 * - Users without a value have the code behind the last one, so they sort last.
 * - `equals` are the codes whose text folds as the one before. They are few, and stored, so that nothing must be
 *   folded to sort.
 */
export class Column implements Made {
  readonly kind: Kind;
  readonly size: number;
  readonly values: Texts | Numbers;
  readonly equals: Uint32Array;
  #stored: StoredCodes | undefined;
  #codes: Uint32Array | undefined;
  #keys: Uint32Array | undefined;
  #sorted: Sorted | undefined;
  #tokenized: { readonly tokens: Tokens | undefined } | undefined;
  readonly #tokenizing = new Resumed(() => this.#tokenize());
  #members: { readonly of: MemberNames | undefined } | undefined;
  #readable: { readonly edges: Uint32Array; readonly by: NumberIn } | undefined;
  #kept: Kept | undefined;

  constructor(kind: Kind, values: Texts | Numbers, codes: Uint32Array | StoredCodes, equals: Uint32Array) {
    this.kind = kind;
    this.size = values instanceof Texts ? values.size : values.length;
    this.values = values;
    if (codes instanceof Uint32Array) this.#codes = codes;
    else this.#stored = codes;
    this.equals = equals;
  }

  /** Counts what is made of it, and may forget it. Its codes are stored, so all can be made again. */
  keepIn(kept: Kept): void {
    this.#kept = kept;
  }

  get codes(): Uint32Array {
    return this.#codes ?? made(this.coding());
  }

  *coding(): Steps<Uint32Array> {
    if (this.#codes || !this.#stored) return this.#codes ?? new Uint32Array(0);
    this.#codes = yield* this.#stored.all();
    // Those of members can be forgotten. Of others both would be kept: three bytes a row more.
    if (this.kind !== 'mixed' && !this.sparse) this.#stored = undefined;
    this.#kept?.made(this);
    return this.#codes;
  }

  /** Of a stored base: all codes and texts. */
  *unpacking(): Steps<void> {
    yield* this.coding();
    if (this.values instanceof Texts) yield* this.values.unpacking();
  }

  /** Of one row: those of all are not made for it. */
  codeOf(row: number): number {
    return (this.#codes ? this.#codes[row] : this.#stored?.at(row)) ?? this.size;
  }

  /** The stored codes, if only few rows have a value. */
  get sparse(): Sparse | undefined {
    return this.#stored instanceof Sparse ? this.#stored : undefined;
  }

  /** The rows that have a value, and their codes. */
  *having(): Steps<Pick<Sparse, 'rows' | 'codes'>> {
    if (this.sparse) return this.sparse;
    const all = this.#codes ?? (this.#stored && (yield* this.#stored.all())) ?? new Uint32Array(0);
    yield;
    const rows = new Uint32Array(all.length);
    let count = 0;
    yield* inChunks(all.length, (from, to) => {
      for (let row = from; row < to; row++) {
        rows[count] = row;
        count += Number((all[row] ?? 0) < this.size);
      }
    });
    return { rows: rows.subarray(0, count), codes: all.filter((code) => code < this.size) };
  }

  /** How many rows have a value. */
  *#counting(): Steps<number> {
    if (this.sparse) return this.sparse.rows.length;
    const codes = yield* this.coding();
    let count = 0;
    yield* inChunks(codes.length, (from, to) => {
      for (let row = from; row < to; row++) count += Number((codes[row] ?? 0) < this.size);
    });
    return count;
  }

  get bytes(): number {
    const { rows, starts } = this.#sorted ?? {};
    const { tokens } = this.#tokenized ?? {};
    const arrays = [
      this.#stored && this.#codes,
      this.#keys,
      rows,
      starts,
      tokens?.postings?.ends,
      tokens?.postings?.texts,
      this.#readable?.edges,
    ];
    const texts = tokens ? tokens.distinct.length + 4 * tokens.distinct.size + tokens.distinct.formBytes : 0;
    const forms = this.values instanceof Texts ? this.values.formBytes : 0;
    const members = this.#members?.of?.bytes ?? 0;
    return arrays.reduce((sum, each) => sum + (each?.byteLength ?? 0), texts + forms + members);
  }

  forget(): void {
    if (!this.#stored) return;
    this.#codes = undefined;
    this.#keys = undefined;
    this.#sorted = undefined;
    this.#tokenized = undefined;
    this.#readable = undefined;
    this.#members = undefined;
    if (this.values instanceof Texts) this.values.forgetForms();
  }

  valueAt(code: number): Value | undefined {
    if (code >= this.size) return undefined;
    return this.values instanceof Texts ? this.values.text(code) : this.values.at(code);
  }

  /** By row: what is compared when users are sorted. undefined if it is not made. */
  get keys(): Uint32Array | undefined {
    return this.#keys ?? (this.equals.length === 0 ? this.#codes : undefined);
  }

  *keying(): Steps<Uint32Array> {
    if (this.#keys || this.equals.length === 0) return this.#keys ?? (yield* this.coding());
    const codes = yield* this.coding();
    const firsts = new Uint32Array(this.size + 1);
    yield* inChunks(firsts.length, (from, to) => {
      for (let code = from; code < to; code++) firsts[code] = code;
    });
    yield* inChunks(this.equals.length, (from, to) => {
      for (const code of this.equals.subarray(from, to)) firsts[code] = firsts[code - 1] ?? 0;
    });
    const keys = new Uint32Array(codes.length);
    yield* inChunks(keys.length, (from, to) => {
      for (let row = from; row < to; row++) keys[row] = firsts[codes[row] ?? 0] ?? 0;
    });
    this.#keys = keys;
    this.#kept?.made(this);
    return keys;
  }

  /** Of one row: those of all are not made for it. */
  keyOf(row: number): number {
    return this.#keys ? (this.#keys[row] ?? 0) : this.keyAt(this.codeOf(row));
  }

  /** Of a code. */
  keyAt(of: number): number {
    const { equals } = this;
    let code = of;
    // Most columns have none.
    for (let i = firstNot(equals.length, (i) => (equals[i] ?? 0) < code); equals[i] === code; i--) code--;
    return code;
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

  get isTokenized(): boolean {
    return this.#tokenized !== undefined;
  }

  /** The tokens of its texts, for parts of them. */
  tokenizing(): Steps<Tokens | undefined> {
    return this.#tokenizing.all();
  }

  *#tokenize(): Steps<Tokens | undefined> {
    if (!this.#tokenized && this.values instanceof Texts) {
      const cut = yield* tokenize(this.values, yield* this.#counting());
      const tokens = cut && {
        distinct: new Texts(cut.distinct.bytes, cut.distinct.size, foldCase),
        postings: cut.postings,
      };
      yield* tokens?.distinct.forming(plain) ?? [];
      this.#tokenized = { tokens };
      this.#kept?.made(this);
    }
    return this.#tokenized?.tokens;
  }

  /** Where texts of which a reader reads a number begin and end in turn, arrays aside. Of the last reader it is kept. */
  *reading(by: NumberIn): Steps<Uint32Array> {
    if (this.#readable?.by === by) return this.#readable.edges;
    const { values, kind, size } = this;
    if (!(values instanceof Texts)) return new Uint32Array(0);
    const isEncoded = kind === 'mixed';
    const [begin, end] = isEncoded ? [this.lowerBound(TEXT), this.lowerBound(ARRAY)] : [0, size];
    const edges = yield* readableIn(yield* values.unpacking(), { begin, end, isEncoded }, by);
    this.#readable = { edges, by };
    this.#kept?.made(this);
    return edges;
  }

  /** The names of its values, where arrays share few. */
  *naming(): Steps<MemberNames | undefined> {
    if (!this.#members && this.values instanceof Texts) {
      this.#members = { of: yield* namesOfMembers(this.values) };
      this.#kept?.made(this);
    }
    return this.#members?.of;
  }

  /** The first code not before a number or a folded text; with `exact`, not before it among those that fold alike. */
  lowerBound(key: Value, exact?: string): number {
    const { values } = this;
    if (!(values instanceof Texts)) return firstNot(this.size, (code) => values.at(code) < Number(key));
    const text = Buffer.from(String(key));
    const whole = exact === undefined ? undefined : Buffer.from(exact);
    return firstNot(
      this.size,
      (code) => (values.compareFolded(code, text) || (whole ? values.compare(code, whole) : 0)) < 0,
    );
  }

  /** The first code behind a number or a folded text, and all that fold as it does. */
  upperBound(key: Value): number {
    const { values } = this;
    if (!(values instanceof Texts)) return firstNot(this.size, (code) => values.at(code) <= Number(key));
    const text = Buffer.from(String(key));
    return firstNot(this.size, (code) => values.compareFolded(code, text) <= 0);
  }

  /** 2 · code + 1 of what sorts equal to a value, or is it exactly; 2 · code if it would be just before it. */
  positionOf(value: Value | undefined, text: string, isExact = !ignoresCase(this.kind)): number {
    if (value === undefined) return 2 * this.size + 1;
    const code =
      typeof value === 'number' ? this.lowerBound(value) : this.lowerBound(text, isExact ? value : undefined);
    const found = this.valueAt(code);
    const isThere = found !== undefined && (isExact ? found === value : folded(this.kind, found) === text);
    return 2 * code + Number(isThere);
  }
}
