import { check } from './bytes.ts';
import { made, type Steps } from './steps.ts';
import { type Fold, plain } from './text.ts';

/** The first of so many places that is not before something: those before it come first. */
export function firstNot(size: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const lowered = (byte: number): number => (byte > 64 && byte < 91 ? byte + 32 : byte);

/** Some texts of a stored base that follow each other. */
export interface Block {
  /** The place of its first text. */
  readonly first: number;
  readonly size: number;
  readonly length: number;
  readonly unpack: () => Buffer;
}

/** Some of many texts, and which they are, ascending. */
export interface Plain {
  readonly places: Uint32Array;
  readonly texts: Texts;
}

/** A step unpacks so many blocks, or passes a million bytes. */
const UNPACKED = 8;
const PASSED = 0xf_ffff;

/** Where each text ends. */
function* endsIn(bytes: Buffer, size: number): Steps<Uint32Array> {
  const ends = new Uint32Array(size);
  let found = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((at & PASSED) === 0) yield;
    if (bytes[at] === 0) ends[found++] = at;
  }
  check(found === size && (size === 0 || ends[size - 1] === bytes.length - 1), 'its texts');
  return ends;
}

/**
 * Many texts as UTF-8, whose bytes sort as code points do, one after the other. Behind each is a NUL, which no text
 * has: so one search finds the next text with a part. Nothing is decoded before it is shown. Of a stored base only the blocks are unpacked
 * whose texts are shown, until all texts are looked at.
 */
export class Texts {
  readonly size: number;
  readonly fold: Fold;
  readonly #blocks: readonly Block[];
  readonly #opened = new Map<Block, Texts>();
  #bytes: Buffer | undefined;
  #ends: Uint32Array | undefined;
  #folded: Texts | undefined;
  #plain: Plain | undefined;

  /** @param ends where each text ends, if that is known */
  constructor(source: Buffer | readonly Block[], size: number, fold: Fold, ends?: Uint32Array) {
    this.size = size;
    this.fold = fold;
    this.#ends = ends;
    this.#bytes = Buffer.isBuffer(source) ? source : undefined;
    this.#blocks = Buffer.isBuffer(source) ? [] : source;
  }

  get bytes(): Buffer {
    this.#bytes ??= made(this.#join());
    return this.#bytes;
  }

  /** Where each text ends. */
  get ends(): Uint32Array {
    this.#ends ??= made(endsIn(this.bytes, this.size));
    return this.#ends;
  }

  /** Makes what looking at all texts needs. */
  *unpacking(): Steps<void> {
    this.#bytes ??= yield* this.#join();
    this.#ends ??= yield* endsIn(this.#bytes, this.size);
  }

  *#join(): Steps<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(this.#blocks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const [i, block] of this.#blocks.entries()) {
      if (i % UNPACKED === 0) yield;
      at += (this.#opened.get(block)?.bytes ?? block.unpack()).copy(bytes, at);
    }
    this.#opened.clear();
    return bytes;
  }

  /** The block of a text, opened. */
  #blockOf(i: number): readonly [Block, Texts] | undefined {
    const blocks = this.#blocks;
    const block = blocks[firstNot(blocks.length, (b) => (blocks[b]?.first ?? 0) + (blocks[b]?.size ?? 0) <= i)];
    if (!block) return undefined;
    const texts = this.#opened.get(block) ?? new Texts(block.unpack(), block.size, this.fold);
    this.#opened.set(block, texts);
    return [block, texts];
  }

  start(i: number): number {
    return i === 0 ? 0 : (this.ends[i - 1] ?? 0) + 1;
  }

  text(i: number): string {
    const [block, texts] = (this.#bytes ? undefined : this.#blockOf(i)) ?? [];
    return block && texts ? texts.text(i - block.first) : this.bytes.toString('utf8', this.start(i), this.ends[i]);
  }

  /** Below 0 if a text is before a key. */
  compare(i: number, key: Buffer): number {
    return this.bytes.compare(key, 0, key.length, this.start(i), this.ends[i]);
  }

  /** The same for the folded text. Most differ in an ASCII letter, undecoded; one before a mark may change with it. */
  compareFolded(i: number, key: Buffer): number {
    const { bytes } = this;
    const start = this.start(i);
    for (let k = 0; ; k++) {
      const byte = bytes[start + k] ?? 0;
      if (byte > 127 || (byte > 0 && (bytes[start + k + 1] ?? 0) > 127)) break;
      const difference = lowered(byte) - (key[k] ?? 0);
      if (difference !== 0 || byte === 0) return difference;
    }
    return Buffer.from(this.fold(this.text(i))).compare(key);
  }

  get isFolded(): boolean {
    return this.#folded !== undefined;
  }

  set folded(texts: Texts) {
    this.#folded = texts;
  }

  /** The same texts folded: made when a filter first needs them, because it takes half a second for a million. */
  get folded(): Texts {
    this.#folded ??= this.#fold();
    return this.#folded;
  }

  get isPlain(): boolean {
    return this.#plain !== undefined;
  }

  set plain(plain: Plain) {
    this.#plain = plain;
  }

  /** The texts that without accents are others than folded, and their places: what is the same takes no memory twice. */
  get plain(): Plain {
    this.#plain ??= this.#withoutAccents();
    return this.#plain;
  }

  #withoutAccents(): Plain {
    const { bytes, ends } = this.folded;
    const places: number[] = [];
    const texts: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      if ((bytes[at] ?? 0) < 128) continue;
      const place = firstNot(this.size, (i) => (ends[i] ?? 0) < at);
      const text = plain(this.text(place));
      at = ends[place] ?? 0;
      if (text === this.folded.text(place)) continue;
      places.push(place);
      texts.push(`${text}\0`);
    }
    const own = new Texts(Buffer.from(texts.join('')), texts.length, this.fold);
    return { places: Uint32Array.from(places), texts: own };
  }

  /** Texts in ASCII are folded together, as bytes. */
  #fold(): Texts {
    const ascii = Buffer.from(this.bytes);
    for (let at = 0; at < ascii.length; at++) ascii[at] = lowered(ascii[at] ?? 0);
    const parts: Buffer[] = [];
    let done = 0;
    let at = 0;
    for (const end of this.ends) {
      const start = at;
      while (at < end && (ascii[at] ?? 0) < 128) at++;
      if (at < end) {
        parts.push(ascii.subarray(done, start), Buffer.from(this.fold(this.bytes.toString('utf8', start, end))));
        done = end;
      }
      at = end + 1;
    }
    return new Texts(Buffer.concat([...parts, ascii.subarray(done)]), this.size, this.fold);
  }
}
