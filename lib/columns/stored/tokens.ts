/** Cuts texts into tokens that many of them share: a word of letters is looked for in each token once. */

import { lowered } from '../values/text.ts';
import { inChunks, type Steps } from '../work/chunks.ts';
import { check } from './bytes.ts';

const AT = 64;

/** The tokens of a folded text. A word that is one is substring of one of the tokens of each text that has it; another word's tokens are. */
export const tokensOf = (text: string): string[] => text.match(/@.*|[^\0-:?-_{-\x7f]+/gs) ?? [];

export const isToken = (text: string): boolean => tokensOf(text)[0] === text;

/** By byte: what it is in a token, in lower case; 0 if tokens end before it. */
const inTokens = (isIn: (byte: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (isIn(lowered(byte)) ? lowered(byte) : 0));

/** Whether a byte of a folded text is in tokens that are no domains. */
const isInToken = (byte: number): boolean => byte > 127 || (byte > 95 && byte < 123) || (byte > 58 && byte < 63);

/** Tokens are of letters, of what is beyond ASCII, and of the signs that a letter beyond ASCII may become, or be made of: `;<=>` and a backtick. */
const LETTERS = inTokens(isInToken);
const LOWERED = inTokens(() => true);
/** An `@` and all that follows is one token, since many addresses share a domain. */
const DOMAIN = LOWERED;

/** The bit of the last token of a text. The other bits are the number of a token, or of a text. */
const LAST = 1 << 31;
export const NUMBER = ~LAST;

/** Bytes, and tokens, for which there is room however few the texts are. */
const ROOM = 1_024;

/** A step begins at each number of a text that has none of these bits. */
const CUT = 0x1fff;

/** Slots in which a token is looked for before it is taken for a new one: nobody gains by making texts that meet in one slot. */
const TRIED = 8;

/** Whether the token at a place is the one that some bytes are. */
function isAt(own: Buffer, start: number, bytes: Buffer, from: number, to: number, forms: Uint8Array): boolean {
  let at = from;
  while (at < to && own[start + at - from] === forms[bytes[at] ?? 0]) at++;
  return at === to && own[start + at - from] === 0;
}

/** Many texts, one after the other. */
interface Source {
  readonly size: number;
  /** Of all bytes. */
  readonly length: number;
  parts(): Iterable<Buffer>;
}

/** The texts of each token. */
export interface Postings {
  /** Where those of a token end, by its number. */
  readonly ends: Uint32Array;
  /** The numbers of texts, with the highest bit if the text ends with the token. */
  readonly texts: Int32Array;
}

/** The tokens of some texts. */
export interface Tokens {
  /** Each once, in lower case, with a NUL behind it. The first is empty. */
  readonly distinct: { readonly bytes: Buffer; readonly size: number };
  /** undefined where tokens would hardly be fewer bytes than texts: then each text is a token of its own. */
  readonly postings: Postings | undefined;
}

/** Distinct tokens, with a NUL behind each. The first is empty. */
class Dictionary {
  readonly #bytes: Buffer;
  /** Of each slot the number of a token, and where it begins: side by side in memory. */
  readonly #slots: Int32Array;
  #size = 1;
  #length = 1;

  /** @param most how many bytes there may be */
  constructor(most: number) {
    this.#bytes = Buffer.alloc(most + 1);
    this.#slots = new Int32Array(2 << (32 - Math.clz32(most >> 4)));
  }

  /** The number of the token that some bytes are, which may be new. 0 if there is no room. */
  numberOf(bytes: Buffer, from: number, to: number, hash: number, forms: Uint8Array): number {
    const own = this.#bytes;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) << 1;
    for (let tried = 0; tried < TRIED; tried++, slot += 2) {
      const number = slots[slot & mask] ?? 0;
      if (number === 0) break;
      if (isAt(own, slots[(slot & mask) + 1] ?? 0, bytes, from, to, forms)) return number;
    }
    if (this.#length + to - from >= own.length) return 0;
    const number = this.#size++;
    slots[slot & mask] = number;
    slots[(slot & mask) + 1] = this.#length;
    for (let at = from; at < to; at++) own[this.#length++] = forms[bytes[at] ?? 0] ?? 0;
    this.#length++;
    return number;
  }

  get texts(): Tokens['distinct'] {
    return { bytes: Buffer.from(this.#bytes.subarray(0, this.#length)), size: this.#size };
  }
}

/** The cutting of texts that follow each other. */
class Cutting {
  readonly #dictionary: Dictionary;
  readonly #numbers: Int32Array;
  #count = 0;

  constructor(length: number) {
    this.#dictionary = new Dictionary(ROOM + (length >> 1));
    this.#numbers = new Int32Array(ROOM + (length >> 2));
  }

  /** @returns where the next text begins; undefined if there is no room */
  text(bytes: Buffer, start: number): number | undefined {
    let forms = LETTERS;
    let from = start;
    for (let at = start; ; at++) {
      let hash = 0;
      for (let form = forms[bytes[at] ?? 0]; form; form = forms[bytes[++at] ?? 0]) {
        hash = Math.imul(hash ^ form, 0x01000193);
      }
      if (at > from && !this.#take(this.#dictionary.numberOf(bytes, from, at, hash, forms))) return undefined;
      if (!bytes[at]) return this.#end(at > from) ? at + 1 : undefined;
      from = at + 1;
      if (bytes[at] === AT) {
        forms = DOMAIN;
        from = at;
      }
    }
  }

  /** @returns whether there was room for the token */
  #take(number: number): boolean {
    if (number !== 0) this.#numbers[this.#count++] = number;
    return number !== 0;
  }

  /** Ends a text, with a token or without. */
  #end(withPiece: boolean): boolean {
    if (!withPiece) this.#count++;
    const last = this.#count - 1;
    this.#numbers[last] = (this.#numbers[last] ?? 0) | LAST;
    return this.#count <= this.#numbers.length;
  }

  get distinct(): Tokens['distinct'] {
    return this.#dictionary.texts;
  }

  /** Of each text the numbers of its tokens. The last one ends with the text: it is the empty one if there is no other. */
  get numbers(): Int32Array {
    return this.#numbers.subarray(0, this.#count);
  }
}

/** Tokens by text become texts by token. */
function* inverted(numbers: Int32Array, tokens: number): Steps<Postings> {
  const ends = new Uint32Array(tokens);
  yield* inChunks(numbers.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const token = (numbers[i] ?? 0) & NUMBER;
      ends[token] = (ends[token] ?? 0) + 1;
    }
  });
  let sum = 0;
  // Where those of a token begin, until they are written.
  yield* inChunks(tokens, (from, to) => {
    for (let token = from; token < to; token++) {
      const count = ends[token] ?? 0;
      ends[token] = sum;
      sum += count;
    }
  });
  const texts = new Int32Array(numbers.length);
  let text = 0;
  yield* inChunks(numbers.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const number = numbers[i] ?? 0;
      const token = number & NUMBER;
      const at = ends[token] ?? 0;
      texts[at] = text | (number & LAST);
      ends[token] = at + 1;
      text += number >>> 31;
    }
  });
  return { ends, texts };
}

/** @returns undefined if tokens are hardly fewer bytes than texts */
function* cut(texts: Source): Steps<Pick<Cutting, 'distinct' | 'numbers'> | undefined> {
  const cutting = new Cutting(texts.length);
  let count = 0;
  for (const bytes of texts.parts()) {
    check((bytes.at(-1) ?? 0) === 0, 'its texts');
    for (let start: number | undefined = 0; start < bytes.length; count++) {
      if ((count & CUT) === 0) yield;
      start = cutting.text(bytes, start);
      if (start === undefined) return undefined;
    }
  }
  check(count === texts.size, 'its texts');
  const { distinct, numbers } = cutting;
  return { distinct, numbers };
}

/** Each text in lower case, where letters are in ASCII. */
function* inLowerCase(texts: Source): Steps<Tokens> {
  const bytes = Buffer.allocUnsafeSlow(texts.length);
  let at = 0;
  for (const part of texts.parts()) {
    yield* inChunks(part.length, (from, to) => {
      for (let i = from; i < to; i++) bytes[at++] = LOWERED[part[i] ?? 0] ?? 0;
    });
  }
  return { distinct: { bytes, size: texts.size }, postings: undefined };
}

/** By how many times fewer texts must be than their rows to be kept in lower case. */
const SHARED = 2;

/**
 * Tokens take at most half of the bytes of the texts, and their postings twice as many as the texts: most take less than the texts.
 *
 * @param rows the number of rows that have the texts
 * @returns undefined for texts that share hardly anything, and that few rows share, such as ids
 */
export function* tokenize(texts: Source, rows: number): Steps<Tokens | undefined> {
  const found = yield* cut(texts);
  if (!found) return texts.size * SHARED <= rows ? yield* inLowerCase(texts) : undefined;
  const { distinct, numbers } = found;
  return { distinct, postings: yield* inverted(numbers, distinct.size) };
}
