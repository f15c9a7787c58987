import { createHash } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { reasonOf, Stop } from './stop.ts';

/** How many bytes identify standard input, if it has no name. */
const FINGERPRINT_BYTES = 65_536;

export interface Bytes {
  chunks: AsyncIterable<Buffer>;
  /** The same for the same input. */
  fingerprint: string;
}

/**
 * Whether a file can be read more than once. A pipe cannot.
 *
 * @throws {Stop} when it cannot be read at all
 */
export async function isRegularFile(path: string): Promise<boolean> {
  if (path === '-') return false;
  try {
    await access(path, constants.R_OK);
    const file = await stat(path);
    if (file.isDirectory()) throw new Error('it is a folder');
    return file.isFile();
  } catch (error) {
    throw new Stop(`Cannot read ${path}: ${reasonOf(error)}`);
  }
}

async function* following(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The bytes of a stream, with a fingerprint of their beginning. */
export async function fingerprinted(input: Readable): Promise<Bytes> {
  const rest: AsyncIterator<Buffer> = input[Symbol.asyncIterator]();
  const begun: Buffer[] = [];
  for (let size = 0; size < FINGERPRINT_BYTES; ) {
    const next = await rest.next();
    if (next.done) break;
    begun.push(next.value);
    size += next.value.length;
  }
  const first = Buffer.concat(begun);
  const fingerprint = createHash('sha256').update(first.subarray(0, FINGERPRINT_BYTES)).digest('base64url');
  return { chunks: following(first, rest), fingerprint };
}
