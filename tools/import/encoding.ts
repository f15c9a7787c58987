import { TextDecoder } from 'node:util';
import { Stop } from './stop.ts';

/** By the first byte of the byte order mark. No text in UTF-8 begins with it. */
const CHARSETS: Record<number, string> = { 255: 'utf-16le', 254: 'utf-16be' };

/**
 * A file in UTF-8, or in UTF-16 with a byte order mark, without this mark.
 *
 * @throws {Stop} when it is something else: guessing another encoding would garble names
 */
export async function* textOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  function decode(bytes: Buffer, stream: boolean): string {
    decoder ??= new TextDecoder(CHARSETS[bytes[0] ?? 0] ?? 'utf-8', { fatal: true });
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw new Stop(`${name} is no text in UTF-8, and a guess would import wrong names. Save it as "CSV UTF-8"`);
    }
  }
  for await (const chunk of chunks) yield decode(chunk, true);
  yield decode(Buffer.alloc(0), false);
}
