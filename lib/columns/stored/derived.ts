import { folded, foldOf, type Kind, type Value } from '../values/definition.ts';
import { foldDomain } from '../values/mailbox.ts';
import { compareCodePoints } from '../values/text.ts';
import { inChunks, type Steps, sortedInSteps } from '../work/chunks.ts';
import { Texts } from './texts.ts';

/** The part of a text behind the last of an ASCII character, folded; undefined without such a character. Of an address it is the domain. */
export function tailOf(kind: Kind, value: Value | undefined, behind: string): string | undefined {
  const text = String(value ?? '');
  const at = text.lastIndexOf(behind);
  if (at < 0) return undefined;
  const tail = text.slice(at + 1);
  return kind === 'address' && behind === '@' ? foldDomain(tail) : folded(kind, tail);
}

/** By text: which of the tails it has. They are told apart as bytes, so that each is decoded once. */
function* tailsIn(texts: Texts, behind: number): Steps<{ numbers: Uint32Array; tails: string[] }> {
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
  return { numbers, tails: [...found.keys()] };
}

/** The values of a column, and the codes of rows. */
interface Derived {
  readonly values: Texts;
  readonly codes: Uint32Array;
}

/**
 * The tails of a column's texts as a column: a million takes a fifth of a second, seven times that if no two are equal. So it is made once in a
 * container, and a compaction makes the next one of it.
 */
export function* derivedOf(kind: Kind, texts: Texts, codes: Uint32Array, behind: string): Steps<Derived> {
  const { numbers, tails } = yield* tailsIn(texts, behind.charCodeAt(0));
  const own: (string | undefined)[] = [];
  yield* inChunks(tails.length, (from, to) => {
    for (const tail of tails.slice(from, to)) own.push(tailOf(kind, Buffer.from(tail, 'latin1').toString(), behind));
  });
  const sorted: string[] = [];
  const codeBy = new Uint32Array(own.length);
  const order = yield* sortedInSteps([...own.keys()], (a, b) => compareCodePoints(own[a] ?? '', own[b] ?? ''));
  yield* inChunks(order.length, (from, to) => {
    for (const number of order.slice(from, to)) {
      const tail = own[number];
      if (tail !== undefined && tail !== sorted.at(-1)) sorted.push(tail);
      codeBy[number] = sorted.length - 1;
    }
  });
  const none = sorted.length;
  for (const [number, tail] of own.entries()) if (tail === undefined) codeBy[number] = none;
  yield;
  const rows = new Uint32Array(codes.length);
  yield* inChunks(rows.length, (from, to) => {
    for (let row = from; row < to; row++) rows[row] = codeBy[numbers[codes[row] ?? 0] ?? -1] ?? none;
  });
  const all = Buffer.from(sorted.map((tail) => `${tail}\0`).join(''));
  return { values: new Texts(all, sorted.length, foldOf(kind)), codes: rows };
}
