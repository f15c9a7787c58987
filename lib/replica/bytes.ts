import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Stored bytes are not those of a base. */
export class BrokenBase extends Error {
  override readonly name = 'BrokenBase';
}

export function check(isSound: boolean, what: string): asserts isSound {
  if (!isSound) throw new BrokenBase(`A stored base is broken: ${what}`);
}

/** Higher levels take much longer for 2 % less. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 6 } };

/** Stored bytes, their number before they were compressed, and their checksum. */
export interface Blob {
  readonly stored: number;
  readonly raw: number;
  readonly checksum: number;
}

export function compress(bytes: Buffer): { blob: Blob; bytes: Buffer } {
  const stored = zstdCompressSync(bytes, LEVEL);
  return { blob: { stored: stored.length, raw: bytes.length, checksum: crc32(stored) }, bytes: stored };
}

/** @throws {BrokenBase} also when there are more than the bytes that the head says */
export function decompress(bytes: Buffer, raw: number): Buffer {
  try {
    const whole = zstdDecompressSync(bytes, { maxOutputLength: Math.max(raw, 1) });
    check(whole.length === raw, 'a length');
    return whole;
  } catch (error) {
    throw error instanceof BrokenBase ? error : new BrokenBase('A stored base is broken: zstd', { cause: error });
  }
}

/** Ascending numbers above 0, as steps of 7 bits a byte, the lowest first; the last byte of a step is below 128. */
export function packSteps(numbers: Float64Array | Uint32Array): Buffer {
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

/** @throws {BrokenBase} if they are not so many ascending numbers up to the most */
export function unpackSteps(bytes: Buffer, count: number, most: number): Float64Array {
  const numbers = new Float64Array(count);
  let at = 0;
  let last = 0;
  for (let i = 0; i < count; i++) {
    let step = 0;
    let unit = 1;
    let byte = 128;
    for (; byte > 127 && unit < 2 ** 56; unit *= 128) {
      byte = bytes[at++] ?? 0;
      step += (byte & 127) * unit;
    }
    last += step;
    check(step > 0 && last <= most, 'a number that does not ascend');
    numbers[i] = last;
  }
  check(at === bytes.length, 'numbers left over');
  return numbers;
}

const widthOf = (most: number): number => (most < 256 ? 1 : most < 65_536 ? 2 : 4);

/** Numbers up to the most, each in as few bytes as that one needs. */
export function packPlaces(places: Uint32Array, most: number): Buffer {
  const width = widthOf(most);
  const narrow = width === 1 ? new Uint8Array(places) : width === 2 ? new Uint16Array(places) : places;
  return Buffer.from(narrow.buffer, narrow.byteOffset, narrow.byteLength);
}

/** The bytes as an array of its own: theirs need not begin at a multiple of a number's length. */
export const aligned = ({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer =>
  new Uint8Array(buffer, byteOffset, byteLength).slice().buffer;

/** @throws {BrokenBase} if a number is above the most */
export function unpackPlaces(bytes: Buffer, most: number): Uint32Array {
  const width = widthOf(most);
  const places =
    width === 1
      ? new Uint32Array(bytes)
      : width === 2
        ? new Uint32Array(new Uint16Array(aligned(bytes)))
        : new Uint32Array(aligned(bytes));
  let highest = 0;
  for (let i = 0; i < places.length; i++) highest = Math.max(highest, places[i] ?? 0);
  check(highest <= most, 'a place behind all values');
  return places;
}

export const lengthOfPlaces = (count: number, most: number): number => count * widthOf(most);
