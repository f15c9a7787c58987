import { isAscii } from 'node:buffer';
import { type Fold, lowered } from '../values/text.ts';
import { inChunks, made, Resumed, type Steps } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';
import { check } from './bytes.ts';

/** How a letter folds, whatever is beside it, as a number of two bytes; below 0 if it does not, or is a mark. */
function foldedLetter(fold: Fold, letter: string): number {
  const bytes = Buffer.from(fold(letter));
  const isOne = bytes.length === 2 && (bytes[0] ?? 0) > 127;
  return isOne && /\P{M}/u.test(letter) ? bytes.readUInt16BE() : -1;
}

/** By fold, and letter of two bytes: how those that were met fold. */
const LETTERS = new Map<Fold, Int32Array>();

/** A letter of a key, of one byte or of two, as `foldedLetter` has it. */
const letterOf = (key: Buffer, at: number, length: number): number =>
  length === 1 ? (key[at] ?? 0) : ((key[at] ?? 0) << 8) | (key[at + 1] ?? 0);

/** Some texts of a stored base that follow each other. */
export interface Block {
  /** The index of its first text. */
  readonly first: number;
  readonly size: number;
  readonly length: number;
  readonly unpack: () => Buffer;
}

/** Texts beyond ASCII in another form, and which they are, ascending. */
export interface Others {
  readonly indexes: Uint32Array;
  readonly texts: Texts;
}

/** Texts that are brought into a form together, which takes half the time: no letter reaches beyond the NUL between two. */
const FORMED = 1_024;

/** Blocks that a step unpacks. Or it passes a million bytes. */
const UNPACKED = 8;
const PASSED = 1 << 20;

/** Texts that are asked together whether they are in ASCII: most addresses are. */
const SEEN = 256;

/** Where each text ends. */
function* endsIn(bytes: Buffer, size: number): Steps<Uint32Array> {
  const ends = new Uint32Array(size);
  let found = 0;
  const addEnds = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (bytes[at] === 0) ends[found++] = at;
  };
  yield* inChunks(bytes.length, addEnds, PASSED);
  check(found === size && (size === 0 || ends[size - 1] === bytes.length - 1), 'its texts');
  return ends;
}

/**
 * Many texts as UTF-8, whose bytes sort as code points do, one after the other. Behind each is a NUL, which no text
 * has: so one search finds the next text with a substring. Nothing is decoded before it is shown. Of a stored base only the blocks are unpacked
 * whose texts are shown, until all texts are looked at.
 */
export class Texts {
  readonly size: number;
  /** How many bytes all of them have. */
  readonly length: number;
  readonly fold: Fold;
  /** None, once all are joined. */
  #blocks: readonly Block[];
  readonly #opened = new Map<Block, Texts>();
  #bytes: Buffer | undefined;
  #ends: Uint32Array | undefined;
  #letters: Int32Array | undefined;
  /** Those in the forms that were asked for. */
  readonly made = new Map<Fold, Others>();
  readonly #forming = new Map<Fold, Resumed<Others>>();

  /** @param ends where each text ends, if that is known */
  constructor(source: Buffer | readonly Block[], size: number, fold: Fold, ends?: Uint32Array) {
    this.size = size;
    this.fold = fold;
    this.#ends = ends;
    this.#bytes = Buffer.isBuffer(source) ? source : undefined;
    this.#blocks = Buffer.isBuffer(source) ? [] : source;
    this.length = this.#bytes?.length ?? this.#blocks.reduce((sum, { length }) => sum + length, 0);
  }

  get bytes(): Buffer {
    return this.#bytes ?? made(this.unpacking()).bytes;
  }

  /** Where each text ends. */
  get ends(): Uint32Array {
    return this.#ends ?? made(this.unpacking()).ends;
  }

  /** Makes what looking at all texts needs. Until then blocks show texts: a question for one would find the ends of all. */
  *unpacking(): Steps<{ bytes: Buffer; ends: Uint32Array }> {
    const bytes = this.#bytes ?? (yield* this.#join());
    this.#ends ??= yield* endsIn(bytes, this.size);
    this.#bytes = bytes;
    this.#opened.clear();
    this.#blocks = [];
    return { bytes, ends: this.#ends };
  }

  *#join(): Steps<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(this.length);
    let [at, passed] = [0, 0];
    for (const part of this.parts()) {
      if (passed++ % UNPACKED === 0) yield;
      at += part.copy(bytes, at);
    }
    return bytes;
  }

  /** The bytes of all texts, in parts: what is unpacked for one is not kept. */
  *parts(): Generator<Buffer, void, undefined> {
    if (this.#bytes) yield this.#bytes;
    for (const block of this.#blocks) yield this.#opened.get(block)?.bytes ?? block.unpack();
  }

  /** The block of a text, opened, unless all are joined. */
  #blockOf(i: number): { first: number; texts: Texts } | undefined {
    const blocks = this.#blocks;
    if (this.#bytes) return undefined;
    const block = blocks[firstNot(blocks.length, (b) => (blocks[b]?.first ?? 0) + (blocks[b]?.size ?? 0) <= i)];
    if (!block) return undefined;
    const texts = this.#opened.get(block) ?? new Texts(block.unpack(), block.size, this.fold);
    this.#opened.set(block, texts);
    return { first: block.first, texts };
  }

  start(i: number): number {
    return i === 0 ? 0 : (this.ends[i - 1] ?? 0) + 1;
  }

  text(i: number): string {
    const block = this.#blockOf(i);
    return block ? block.texts.text(i - block.first) : this.bytes.toString('utf8', this.start(i), this.ends[i]);
  }

  /** Below 0 if a text is before a key. */
  compare(i: number, key: Buffer): number {
    const block = this.#blockOf(i);
    if (block) return block.texts.compare(i - block.first, key);
    return this.bytes.compare(key, 0, key.length, this.start(i), this.ends[i]);
  }

  /** The folded letter at some byte, as `foldedLetter` has it. */
  #letterAt(at: number): number {
    const byte = this.bytes[at] ?? 0;
    if (byte < 128) return lowered(byte);
    if (byte > 0xdf) return -1;
    const code = ((byte & 0x1f) << 6) | ((this.bytes[at + 1] ?? 0) & 0x3f);
    this.#letters ??= LETTERS.get(this.fold) ?? new Int32Array(0x800);
    LETTERS.set(this.fold, this.#letters);
    this.#letters[code] ||= foldedLetter(this.fold, String.fromCharCode(code));
    return this.#letters[code] ?? -1;
  }

  /** The same for the folded text. Most differ in a letter that folds alone, undecoded. */
  compareFolded(i: number, key: Buffer): number {
    const block = this.#blockOf(i);
    if (block) return block.texts.compareFolded(i - block.first, key);
    const start = this.start(i);
    let letter = this.#letterAt(start);
    for (let k = 0; letter >= 0; ) {
      const length = letter > 127 ? 2 : 1;
      const next = letter === 0 ? 0 : this.#letterAt(start + k + length);
      // It may change with a mark behind it.
      if (next < 0) break;
      const other = letterOf(key, k, length);
      if (letter !== other || letter === 0) return letter - other;
      letter = next;
      k += length;
    }
    return Buffer.from(this.fold(this.text(i))).compare(key);
  }

  /** The texts beyond ASCII in a form, in which those in ASCII are only in lower case: made when a filter first needs them. */
  forming(form: Fold): Steps<Others> {
    const forming = this.#forming.get(form) ?? new Resumed(() => this.#formed(form));
    this.#forming.set(form, forming);
    return forming.all();
  }

  /** Bytes that the forms take. */
  get formBytes(): number {
    let sum = 0;
    for (const { indexes, texts } of this.made.values()) sum += indexes.byteLength + texts.length + 4 * texts.size;
    return sum;
  }

  forgetForms(): void {
    this.made.clear();
    this.#forming.clear();
  }

  *#formed(form: Fold): Steps<Others> {
    const known = this.made.get(form);
    if (known) return known;
    yield* this.unpacking();
    const indexes: number[] = [];
    const beyond = (from: number, to: number) => {
      if (isAscii(this.bytes.subarray(this.start(from), this.ends[to - 1]))) return;
      for (let index = from; index < to; index++) if (this.#isBeyondAscii(index)) indexes.push(index);
    };
    yield* inChunks(this.size, beyond, SEEN);
    const formed: Buffer[] = [];
    for (let i = 0; i < indexes.length; i += FORMED) {
      yield;
      const texts = indexes.slice(i, i + FORMED).map((index) => this.text(index));
      formed.push(Buffer.from(`${form(texts.join('\0'))}\0`));
    }
    const others = {
      indexes: Uint32Array.from(indexes),
      texts: new Texts(Buffer.concat(formed), indexes.length, form),
    };
    this.made.set(form, others);
    return others;
  }

  #isBeyondAscii(index: number): boolean {
    const { bytes, ends } = this;
    let at = this.start(index);
    while ((bytes[at] ?? 0) < 128 && at < (ends[index] ?? 0)) at++;
    return at < (ends[index] ?? 0);
  }
}
