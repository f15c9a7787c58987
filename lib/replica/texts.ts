import { foldCase } from './text.ts';

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

/**
 * Many texts as UTF-8, whose bytes sort as code points do, one after the other. Behind each is a NUL, which no text
 * has: so one search finds the next text with a part. Nothing is decoded before it is shown.
 */
export class Texts {
  readonly bytes: Buffer;
  /** Where each text ends. */
  readonly ends: Uint32Array;
  /** How many NULs there are: as many as texts, unless the bytes are broken. */
  readonly found: number;
  #folded: Texts | undefined;

  /** @param ends where each text ends, if that is known */
  constructor(bytes: Buffer, count: number, ends?: Uint32Array) {
    this.bytes = bytes;
    this.ends = ends ?? new Uint32Array(count);
    this.found = count;
    if (ends) return;
    let found = 0;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) this.ends[found++] = at;
    this.found = found;
  }

  start(i: number): number {
    return i === 0 ? 0 : (this.ends[i - 1] ?? 0) + 1;
  }

  text(i: number): string {
    return this.bytes.toString('utf8', this.start(i), this.ends[i]);
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
    return Buffer.from(foldCase(this.text(i))).compare(key);
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
        parts.push(ascii.subarray(done, start), Buffer.from(foldCase(this.bytes.toString('utf8', start, end))));
        done = end;
      }
      at = end + 1;
    }
    return new Texts(Buffer.concat([...parts, ascii.subarray(done)]), this.ends.length);
  }
}
