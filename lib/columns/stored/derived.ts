/** Makes derived columns: of each text that differs, what is derived is read once. */
import { type Among, type Derived, derivedFrom, folded, foldOf, type Kind, type Value } from '../values/definition.ts';
import { compareCodePoints } from '../values/text.ts';
import { inChunks, type Steps, sortedInSteps } from '../work/chunks.ts';
import { type StoredCodes, storedCodes } from './codes.ts';
import type { Numbers } from './numbers.ts';
import { Texts } from './texts.ts';

/** The column that is read. */
interface Source {
  readonly kind: Kind;
  readonly values: Texts | Numbers;
  coding(): Steps<Uint32Array>;
  lowerBound(key: Value): number;
}

/** The values of a column, and the codes of rows. */
interface Made {
  readonly values: Texts;
  readonly codes: Uint32Array | StoredCodes;
}

/** Different texts, and by code of the source which of them it has. */
interface Pieces {
  readonly texts: readonly string[];
  readonly numbers: Uint32Array;
}

/** The texts from the last of a character on, or whole texts without it. They are told apart as bytes, so that each is decoded once. */
function* tailsIn(texts: Texts, behind: number): Steps<Pieces> {
  const { bytes, ends } = yield* texts.unpacking();
  const numbers = new Uint32Array(texts.size);
  const found = new Map<string, number>();
  let start = 0;
  yield* inChunks(texts.size, (from, to) => {
    for (let i = from; i < to; i++) {
      const end = ends[i] ?? 0;
      let at = end;
      while (at > start && bytes[at] !== behind) at--;
      const tail = bytes.toString('latin1', at, end);
      const number = found.get(tail) ?? found.size;
      if (number === found.size) found.set(tail, number);
      numbers[i] = number;
      start = end + 1;
    }
  });
  return { numbers, texts: [...found.keys()].map((tail) => Buffer.from(tail, 'latin1').toString()) };
}

/** The codes of the texts that are read. Where the first text is behind those of a span, nothing is looked up. */
function* codesAmong(source: Source, among: Among): Steps<Uint32Array> {
  const { kind, values } = source;
  if (!(values instanceof Texts) || values.size === 0) return new Uint32Array(0);
  if (among === 'beyond ASCII') return (yield* values.forming(foldOf(kind))).indexes;
  const [from, to] = among;
  if (compareCodePoints(folded(kind, values.text(0)), to) >= 0) return new Uint32Array(0);
  const first = source.lowerBound(from);
  return Uint32Array.from({ length: source.lowerBound(to) - first }, (_, i) => first + i);
}

/** The values derived of some texts, sorted, each once; and by text which one it has: the number behind the last for none. */
function* sortedOf(derived: Derived, texts: readonly string[]): Steps<{ sorted: string[]; codeBy: Uint32Array }> {
  const own: (string | undefined)[] = [];
  yield* inChunks(texts.length, (from, to) => {
    for (const text of texts.slice(from, to)) own.push(derivedFrom(derived, text));
  });
  const sorted: string[] = [];
  const codeBy = new Uint32Array(own.length);
  const order = yield* sortedInSteps([...own.keys()], (a, b) => compareCodePoints(own[a] ?? '', own[b] ?? ''));
  yield* inChunks(order.length, (from, to) => {
    for (const number of order.slice(from, to)) {
      const text = own[number];
      if (text !== undefined && text !== sorted.at(-1)) sorted.push(text);
      codeBy[number] = sorted.length - 1;
    }
  });
  for (const [number, text] of own.entries()) if (text === undefined) codeBy[number] = sorted.length;
  yield;
  return { sorted, codeBy };
}

const textsOf = (kind: Kind, sorted: readonly string[]): Texts =>
  new Texts(Buffer.from(sorted.map((text) => `${text}\0`).join('')), sorted.length, foldOf(kind));

/** Only the rows with one of some codes are kept. */
function* ofSome(source: Source, size: number, derived: Derived, found: Uint32Array): Steps<Made> {
  const { kind, values } = source;
  const texts = Array.from(found, (code) => (values instanceof Texts ? values.text(code) : ''));
  const { sorted, codeBy } = yield* sortedOf(derived, texts);
  const codes = found.length > 0 ? yield* source.coding() : new Uint32Array(0);
  // By code of the source: above 0 for a text of which something was read.
  const numbers = new Uint32Array((found.at(-1) ?? 0) + 1);
  for (const [i, code] of found.entries()) numbers[code] = ((codeBy[i] ?? 0) + 1) % (sorted.length + 1);
  const rows: number[] = [];
  yield* inChunks(codes.length, (from, to) => {
    for (let row = from; row < to; row++) if (numbers[codes[row] ?? 0]) rows.push(row);
  });
  const own = Uint32Array.from(rows, (row) => (numbers[codes[row] ?? 0] ?? 0) - 1);
  return { values: textsOf(kind, sorted), codes: storedCodes(Uint32Array.from(rows), own, size, sorted.length) };
}

function* ofTails(source: Source, derived: Derived, behind: string): Steps<Made> {
  const { kind, values } = source;
  const { numbers, texts } = yield* tailsIn(values instanceof Texts ? values : textsOf(kind, []), behind.charCodeAt(0));
  const { sorted, codeBy } = yield* sortedOf(derived, texts);
  const codes = yield* source.coding();
  const rows = new Uint32Array(codes.length);
  yield* inChunks(rows.length, (from, to) => {
    for (let row = from; row < to; row++) rows[row] = codeBy[numbers[codes[row] ?? 0] ?? -1] ?? sorted.length;
  });
  return { values: textsOf(kind, sorted), codes: rows };
}

/**
 * A derived column. The tails of a million texts take a fifth of a second, seven times that if no two are equal: so it is made once in a container,
 * and a compaction makes the next one of it.
 *
 * @param size how many rows there are
 */
export function* derivedOf(source: Source, size: number, derived: Derived): Steps<Made> {
  if (derived.behind !== undefined) return yield* ofTails(source, derived, derived.behind);
  return yield* ofSome(source, size, derived, yield* codesAmong(source, derived.among));
}
