/** Finds texts that have one of some substrings, ignoring case: all texts of a column in one pass, however many substrings there are. */

import type { Texts } from '../stored/texts.ts';
import type { Fold } from '../values/text.ts';
import { lowered } from '../values/text.ts';
import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { ticked } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';

/** A tick is due at each number of a text that has none of these bits: those of arrays have a kilobyte. */
const LONG = 0x3ff;

/** Bytes that are searched in one string, which has a character for each: larger ones are no garbage of a moment. */
const AT_ONCE = 1 << 14;

/** Bytes of a substring that few texts have: then bytes are searched in up to an eighth of the time of strings. Each that is found takes longer. */
const RARE = 3;

/** Where one of this number of texts has a substring, and not only some of the first ones, strings are searched. */
const OFTEN = 16;
const SOME = 1_024;

/** Bytes that are searched at once, with a tick before. */
const PASSED = 1 << 20;

/** A tick is due at each number of such strings that has none of these bits. */
const CHUNKS = 0x3f;

/** Stands in the table for "one of the substrings ends here". */
const FOUND = -1;

/**
 * An automaton that reads bytes, and is at its end when it has read one of some substrings (Aho and Corasick, 1975). The next byte is
 * looked up in a table: a row for each beginning of a substring, a column for each byte that substrings have, and one for all others.
 */
export class Substrings {
  readonly #columnOf = new Uint8Array(256);
  readonly #next: Int32Array;

  /** @param substrings not empty, and folded, unless case counts; at most 255 bytes differ, since UTF-8 has no 0xff */
  constructor(substrings: readonly Buffer[], isExact = false) {
    const bytes = [...new Set(substrings.flatMap((substring) => [...substring]))];
    for (let byte = 0; byte < 256; byte++) this.#columnOf[byte] = bytes.indexOf(isExact ? byte : lowered(byte)) + 1;
    this.#next = this.#tableOf(substrings, bytes.length + 1);
  }

  #tableOf(substrings: readonly Buffer[], width: number): Int32Array {
    const next = new Int32Array((1 + substrings.reduce((sum, { length }) => sum + length, 0)) * width);
    let size = width;
    for (const substring of substrings) {
      let row = 0;
      for (const [i, byte] of substring.entries()) {
        const at = row + (this.#columnOf[byte] ?? 0);
        if (i === substring.length - 1) next[at] = FOUND;
        else if (next[at] === 0) {
          next[at] = size;
          size += width;
        }
        row = next[at] ?? 0;
        // A shorter substring ends before.
        if (row === FOUND) break;
      }
    }
    this.#link(next, width);
    return next;
  }

  /** Where a substring does not go on, its longest end that is the beginning of a substring does. Rows are passed by their depth. */
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

  /** Whether some bytes have a substring: those from one to another one, included. */
  isIn(bytes: Buffer, from: number, to: number): boolean {
    const [next, columnOf] = [this.#next, this.#columnOf];
    let row = 0;
    for (let at = from; at <= to; at++) {
      row = next[row + (columnOf[bytes[at] ?? 0] ?? 0)] ?? 0;
      if (row === FOUND) return true;
    }
    return false;
  }

  /** Marks those of some texts, from one on, that have a substring. */
  mark(texts: Texts, marks: Uint8Array, work: Work, first = 0): void {
    const { bytes, ends } = ticked(texts.unpacking(), work);
    let from = first === 0 ? 0 : (ends[first - 1] ?? 0) + 1;
    for (let i = first; i < ends.length; i++) {
      if ((i & LONG) === 0) work.tick();
      const end = ends[i] ?? 0;
      if (this.isIn(bytes, from, end)) marks[i] = 1;
      from = end + 1;
    }
  }
}

/** A substring, and how texts that have it are marked. */
export interface Wanted {
  readonly substring: Buffer;
  readonly mark: number;
}

/** Whether a byte is in a form only if it is in the text: a digit, or a sign before `;`. That one, and some others, letters beyond ASCII become. */
const isKept = (byte: number): boolean => byte < 0x3b || byte === 0x40;

interface Sought {
  readonly text: string;
  readonly mark: number;
}

/** Texts in one string, which begins at a byte, with a text. */
interface Chunk {
  readonly string: string;
  readonly from: number;
  readonly begin: number;
}

/** Marks the texts of a chunk that have a substring. @returns its mark, or 0 if none has it */
function markIn(
  { string, from, begin }: Chunk,
  { text, mark }: Sought,
  ends: Texts['ends'],
  marks: Uint8Array,
): number {
  let [i, made] = [begin, 0];
  for (let at = string.indexOf(text); at >= 0; at = string.indexOf(text, (ends[i++] ?? 0) + 1 - from)) {
    while ((ends[i] ?? 0) < from + at) i++;
    marks[i] = (marks[i] ?? 0) | mark;
    made = mark;
  }
  return made;
}

/** Some substrings, each with its mark; or several with one mark, 1. None is empty. */
export type Searched = readonly Wanted[] | Substrings;

/** A search of texts for substrings, which are in some form, such as folded. */
export interface Search {
  readonly searched: Searched;
  readonly form: Fold;
  /** Whether the texts are in that form, too. If not, the letters of ASCII are made small, and texts beyond ASCII are brought into it. */
  readonly isFormed?: boolean;
}

/** Where marks are made, and for whom. */
interface Marking {
  readonly marks: Uint8Array;
  readonly work: Work;
}

/**
 * Marks the texts that have substrings. A string that is searched, and whose letters are made small, takes a third of the time of a loop; no
 * match begins in one text and ends in another, and those beyond ASCII do not count.
 *
 * @returns all marks that were made
 */
function markInStrings({ bytes, ends }: Texts, wanted: readonly Wanted[], makeSmall: boolean, to: Marking): number {
  const { marks, work } = to;
  let all = 0;
  const substrings = wanted.map(({ substring, mark }) => ({ text: substring.toString('latin1'), mark }));
  for (let from = 0, begin = 0, chunks = 0; from < bytes.length; chunks++) {
    if ((chunks & CHUNKS) === 0) work.tick();
    const last = bytes.lastIndexOf(0, Math.max(from + AT_ONCE, ends[begin] ?? 0));
    const string = bytes.toString('latin1', from, last + 1);
    const chunk = { string: makeSmall ? string.toLowerCase() : string, from, begin };
    for (const each of substrings) all |= markIn(chunk, each, ends, marks);
    from = last + 1;
    while ((ends[begin] ?? from) < from) begin++;
  }
  return all;
}

/** The same for a substring that few texts have, as it is. */
function markInBytes(texts: Texts, wanted: Wanted, to: Marking): number {
  const { bytes, ends } = texts;
  const { substring, mark } = wanted;
  const textAt = (at: number) => firstNot(ends.length, (i) => (ends[i] ?? 0) < at);
  let found = 0;
  for (let from = 0; from < bytes.length; ) {
    to.work.tick();
    const last = bytes.lastIndexOf(0, Math.max(from + PASSED, ends[textAt(from)] ?? 0));
    const part = bytes.subarray(from, last + 1);
    for (let at = part.indexOf(substring); at >= 0; ) {
      const i = textAt(from + at);
      if (++found * OFTEN > i + SOME) return markInStrings(texts, [wanted], false, to);
      to.marks[i] = (to.marks[i] ?? 0) | mark;
      at = part.indexOf(substring, (ends[i] ?? 0) + 1 - from);
    }
    from = last + 1;
  }
  return found > 0 ? mark : 0;
}

/** The same: longer substrings, which fewer texts have, are looked for in bytes, unless letters must be made small. */
function markEach(texts: Texts, wanted: readonly Wanted[], makeSmall: boolean, to: Marking): number {
  if (makeSmall && !wanted.every(({ substring }) => substring.every(isKept)))
    return markInStrings(texts, wanted, true, to);
  const [long, short] = [true, false].map((isLong) =>
    wanted.filter(({ substring }) => substring.length >= RARE === isLong),
  ) as [Wanted[], Wanted[]];
  const all = short.length > 0 ? markInStrings(texts, short, false, to) : 0;
  return long.reduce((marks, each) => marks | markInBytes(texts, each, to), all);
}

/** Whether a substring is in any form of a text that has it. Between two such signs there may be marks. */
const isSign = ({ substring }: Wanted): boolean => substring.length === 1 && substring.every(isKept);

/** Whether some texts can have a substring: names have no digits, so a word with one is looked for in addresses alone. */
export const canHave = ({ bytes }: Texts, substring: Buffer): boolean =>
  substring.every((byte) => !isKept(byte) || bytes.includes(byte));

function markAll(texts: Texts, { searched, isFormed = false }: Search, to: Marking): number {
  if (!(searched instanceof Substrings)) return markEach(texts, searched, !isFormed, to);
  searched.mark(texts, to.marks, to.work);
  return 1;
}

/**
 * Marks the texts that in some form have substrings.
 *
 * @returns the marks that a text can have
 */
export function markTexts(texts: Texts, search: Search, marks: Uint8Array, work: Work): number {
  ticked(texts.unpacking(), work);
  const { searched: all } = search;
  const wanted = all instanceof Substrings ? undefined : all.filter(({ substring }) => canHave(texts, substring));
  if (wanted?.length === 0) return 0;
  const searched = wanted ?? all;
  const bits = markAll(texts, { ...search, searched }, { marks, work });
  if (wanted?.every(isSign)) return bits;
  // Those in ASCII are found as they are.
  const others = ticked(texts.forming(search.form), work);
  const found = arena.marks(others.texts.size);
  const otherBits = markAll(others.texts, { ...search, searched, isFormed: true }, { marks: found, work });
  for (let i = 0; i < found.length; i++) marks[others.indexes[i] ?? 0] = found[i] ?? 0;
  return bits | otherBits;
}
