/** Finds texts that have one of some parts: all texts of a column in one pass, however many parts there are. */
import type { Work } from './definition.ts';
import type { Texts } from './texts.ts';

/** A tick is due at each number that has none of these bits. */
export const TICKS = 0xffff;

/** Where users are so many times fewer than texts, only theirs are looked at. A slice of sorted rows is taken where it is so many times shorter: they are not in the order of the columns. */
export const FEWER = 4;

/** What is known of a text. */
export const [NO, YES] = [1, 2];

/** One part is looked for by `indexOf` until it was found so often, and more than once in so many bytes: then a pass is faster. */
const OFTEN = 1_024;
const APART = 128;

/** What stands in the table for "one of the parts ends here". */
const FOUND = -1;

/**
 * An automaton that reads bytes, and is at its end when it has read one of some parts (Aho and Corasick, 1975). What it reads next is
 * looked up in a table: a row for each beginning of a part, a column for each byte that parts have, and one for all others.
 */
export class Parts {
  /** The only part, if there is one. */
  readonly only: Buffer | undefined;
  readonly #columnOf = new Uint8Array(256);
  readonly #next: Int32Array;

  /** @param parts not empty; at most 255 bytes differ, since UTF-8 has no 0xff */
  constructor(parts: readonly Buffer[]) {
    this.only = parts.length === 1 ? parts[0] : undefined;
    const bytes = new Set(parts.flatMap((part) => [...part]));
    for (const [i, byte] of [...bytes].entries()) this.#columnOf[byte] = i + 1;
    this.#next = this.#tableOf(parts, bytes.size + 1);
  }

  #tableOf(parts: readonly Buffer[], width: number): Int32Array {
    const next = new Int32Array((1 + parts.reduce((sum, { length }) => sum + length, 0)) * width);
    let size = width;
    for (const part of parts) {
      let row = 0;
      for (const [i, byte] of part.entries()) {
        const at = row + (this.#columnOf[byte] ?? 0);
        if (i === part.length - 1) next[at] = FOUND;
        else if (next[at] === 0) {
          next[at] = size;
          size += width;
        }
        row = next[at] ?? 0;
        // A shorter part ends before.
        if (row === FOUND) break;
      }
    }
    this.#link(next, width);
    return next;
  }

  /** Where a part does not go on, its longest end that is the beginning of a part does. Rows are passed by their depth. */
  #link(next: Int32Array, width: number): void {
    const rows = [0];
    const shorter = new Map([[0, 0]]);
    for (const row of rows) {
      const other = shorter.get(row) ?? 0;
      for (let column = 0; column < width; column++) {
        const [to = 0, fallback = 0] = [next[row + column], row === 0 ? 0 : next[other + column]];
        if (to > 0) {
          rows.push(to);
          shorter.set(to, Math.max(fallback, 0));
        }
        if (to === 0 || fallback === FOUND) next[row + column] = fallback;
      }
    }
  }

  /** Whether some bytes have a part: those from a place to another one, included. */
  isIn(bytes: Buffer, from: number, to: number): boolean {
    const [next, columnOf] = [this.#next, this.#columnOf];
    let row = 0;
    for (let at = from; at <= to; at++) {
      row = next[row + (columnOf[bytes[at] ?? 0] ?? 0)] ?? 0;
      if (row === FOUND) return true;
    }
    return false;
  }
}

/** Finds one part as long as it is seldom. @returns the first text that was not looked at */
function markSeldom({ bytes, ends }: Texts, key: Buffer, marks: Uint8Array): number {
  let [i, found] = [0, 0];
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, (ends[i++] ?? 0) + 1)) {
    while ((ends[i] ?? 0) < at) i++;
    marks[i] = YES;
    if (++found % OFTEN === 0 && at < found * APART) return i + 1;
  }
  return ends.length;
}

/** Marks the texts that have a part. */
export function markAll(texts: Texts, parts: Parts, marks: Uint8Array, work: Work): void {
  const { bytes, ends } = texts;
  const first = parts.only ? markSeldom(texts, parts.only, marks) : 0;
  for (let i = first, from = texts.start(i); i < ends.length; i++) {
    if ((i & TICKS) === 0) work.tick();
    const end = ends[i] ?? 0;
    if (parts.isIn(bytes, from, end)) marks[i] = YES;
    from = end + 1;
  }
}

/** The same for the texts of some rows, of which some are known. */
export function markFew(
  { bytes, ends }: Texts,
  parts: Parts,
  marks: Uint8Array,
  { places, rows }: { places: Uint32Array; rows: Uint32Array },
): void {
  for (let k = 0; k < rows.length; k++) {
    const i = places[rows[k] ?? 0] ?? 0;
    if (marks[i] !== 0) continue;
    marks[i] = parts.isIn(bytes, i === 0 ? 0 : (ends[i - 1] ?? 0) + 1, ends[i] ?? 0) ? YES : NO;
  }
}
