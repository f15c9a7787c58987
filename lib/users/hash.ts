import { hash } from 'node:crypto';

/** Hashes, checksums and counts are integers modulo this number, so the sum of two is exact in a JavaScript number. */
const MODULUS = 2 ** 48;

/** Of hexadecimal text. */
const DIGITS = 12;

/** 48 bits of SHA-256. */
export const hash48 = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, DIGITS), 16);

/** Adds modulo 2^48. Adding `-n` undoes adding `n`. */
export function addModulo(a: number, b: number): number {
  const sum = (a + b) % MODULUS;
  return sum < 0 ? sum + MODULUS : sum;
}

/** An integer modulo 2^48 as text for a header. */
export const toHex = (value: number): string => value.toString(16).padStart(DIGITS, '0');
