import { hash } from 'node:crypto';

/** Hashes and their sums are integers modulo this number, so the sum of two is exact in a JavaScript number. */
const MODULUS = 2 ** 48;

/** Of hexadecimal text. */
const DIGITS = 12;

/** 48 bits of SHA-256. */
export const hash48 = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, DIGITS), 16);

export const addModulo = (a: number, b: number): number => (a + b) % MODULUS;

/** An integer modulo 2^48 as text for a header. */
export const toHex = (value: number): string => value.toString(16).padStart(DIGITS, '0');
