import { TextDecoder } from 'node:util';
import { Stop } from './stop.ts';

/** By the byte order marks of UTF-16. */
const CHARSETS: Record<string, string> = { fffe: 'utf-16le', feff: 'utf-16be' };

const MARK_BYTES = 2;

/**
 * A file in UTF-8, or in UTF-16 with a byte order mark, without this mark.
 *
 * @throws {Stop} when it is something else: guessing another encoding would garble names
 */
export async function* textOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  function decode(bytes: Buffer, stream: boolean): string {
    decoder ??= new TextDecoder(CHARSETS[bytes.toString('hex', 0, MARK_BYTES)] ?? 'utf-8', { fatal: true });
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw new Stop(`${name} is no text in UTF-8, and a guess would import wrong names. Save it as "CSV UTF-8"`);
    }
  }
  let kept = Buffer.alloc(0);
  for await (const chunk of chunks) {
    kept = Buffer.concat([kept, chunk]);
    // Small pieces are joined until the mark can be recognised.
    if (kept.length < MARK_BYTES) continue;
    yield decode(kept, true);
    kept = Buffer.alloc(0);
  }
  yield decode(kept, false);
}
