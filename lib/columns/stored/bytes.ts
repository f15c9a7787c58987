/** How numbers are stored: compressed with zstd, small ones in few bytes. All that is read is checked. */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Stored bytes are not those of a base. */
export class BrokenBase extends Error {
  override readonly name = 'BrokenBase';
}

export function check(isSound: boolean, what: string): asserts isSound {
  if (!isSound) throw new BrokenBase(`A stored base is broken: ${what}`);
}

/** Runs what reads bytes. All that fails there is because they are broken. */
export function orBroken<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenBase) throw error;
    throw new BrokenBase('A stored base is broken', { cause: error });
  }
}

export const isCount = (value: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value <= most;

/** More bytes than a blob of a replica has. */
export const MOST_BYTES = 2 ** 30;

/** Higher levels take much longer for 1 % less. */
export const DENSE = 9;
/** For bytes that repeat nothing. */
export const FAST = 1;

/** The lengths of some bytes, compressed and before, and the checksum of the compressed. */
export interface Blob {
  readonly stored: number;
  readonly raw: number;
  readonly checksum: number;
}

export function compress(bytes: Buffer, level: number): { blob: Blob; bytes: Buffer } {
  const stored = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  return { blob: { stored: stored.length, raw: bytes.length, checksum: crc32(stored) }, bytes: stored };
}

/** More than is needed, so that Node does not reserve it again to see that nothing follows. */
const ROOM = 64;

/** Never more bytes than the head says, in one piece: Node would make pieces, and copy them. */
export function decompress(bytes: Buffer, raw: number): Buffer {
  // To unpack nothing takes as long as two kilobytes.
  if (raw === 0) return Buffer.alloc(0);
  const whole = zstdDecompressSync(bytes, { maxOutputLength: raw, chunkSize: raw + ROOM });
  check(whole.length === raw, 'a length');
  return whole;
}

/** Ascending numbers above 0, as steps of 7 bits a byte, the lowest first; the last byte of a step is below 128. */
export function packAscending(numbers: Float64Array | Uint32Array): Buffer {
  const out = Buffer.allocUnsafe(numbers.length * 8);
  let at = 0;
  let last = 0;
  for (const number of numbers) {
    let step = number - last;
    last = number;
    for (; step >= 128; step = Math.floor(step / 128)) out[at++] = (step % 128) + 128;
    out[at++] = step;
  }
  return out.subarray(0, at);
}

export function unpackAscending(bytes: Buffer, count: number, most: number): Float64Array {
  const numbers = new Float64Array(count);
  let at = 0;
  let last = 0;
  for (let i = 0; i < count; i++) {
    let byte = 128;
    let step = 0;
    for (let unit = 1; byte > 127 && unit < 2 ** 56; unit *= 128) {
      byte = bytes[at++] ?? 0;
      step += (byte & 127) * unit;
    }
    last += step;
    check(step > 0 && last <= most, 'a number');
    numbers[i] = last;
  }
  check(at === bytes.length, 'its numbers');
  return numbers;
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array | Uint32Array | Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A copy: bytes need not begin where numbers may. */
export const numbersIn = (bytes: Buffer): Float64Array => new Float64Array(new Uint8Array(bytes).buffer);

/** Reads parts one after another as if they were one: what lies in one of them is not copied. Less at their end. */
export function readerOf(parts: readonly Uint8Array[]): (length: number) => Buffer {
  let [part, at] = [0, 0];
  return (length) => {
    const found: Buffer[] = [];
    for (let missing = length; missing > 0 && part < parts.length; ) {
      const bytes = bytesOf(parts[part] ?? new Uint8Array(0)).subarray(at, at + missing);
      found.push(bytes);
      missing -= bytes.length;
      at += bytes.length;
      if (missing > 0) [part, at] = [part + 1, 0];
    }
    const [only] = found;
    return only && found.length === 1 ? only : Buffer.concat(found);
  };
}
