import { createHash } from 'node:crypto';

/** Hashes, checksums and counts are integers modulo this: sums of two are exact in a JavaScript number. */
const MODULUS = 2 ** 48;

const HASH_BYTES = 6;

/** 48 bits of SHA-256. */
export const hash48 = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, HASH_BYTES);

/** Adds modulo 2^48; `-n` of an integer is what makes it 0. */
export function addModulo(a: number, b: number): number {
  const sum = (a + b) % MODULUS;
  return sum < 0 ? sum + MODULUS : sum;
}

/** For a header: an integer modulo 2^48 as text. */
export const toHex = (value: number): string => value.toString(16).padStart(2 * HASH_BYTES, '0');
