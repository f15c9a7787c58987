import { TextDecoder } from 'node:util';

/** By the first byte of the byte order mark. No text in UTF-8 begins with it. */
const CHARSETS: Record<number, string> = { 255: 'utf-16le', 254: 'utf-16be' };

/** With it a spreadsheet takes a text for UTF-8, and otherwise for an encoding of its own. */
const MARK = '\uFEFF';

/** The beginning of a zip archive, which workbooks are (APPNOTE.TXT 4.3.7). */
const ZIP = 'PK\x03';

/** Bytes that are no text. The reader of the text knows the line before them. */
export class NotText extends Error {}

/** The text of a chunk up to a byte that belongs to no character. At its beginning a character of the chunk before may end. */
function readable(chunk: Buffer, charset: string): string {
  const start = chunk.findIndex((byte) => byte >> 6 !== 0b10);
  return new TextDecoder(charset).decode(chunk.subarray(Math.max(0, start))).replace(/\uFFFD.*/s, '');
}

/**
 * A file in UTF-8, or in UTF-16 with a byte order mark, without this mark.
 *
 * @param found is told whether there is one
 * @throws {NotText} behind the last character before something else: guessing another encoding would garble names
 */
export async function* textOf(
  chunks: AsyncIterable<Buffer>,
  name: string,
  found: { hasMark?: boolean } = {},
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let failed: Buffer = Buffer.alloc(0);
  let kind = 'no text in UTF-8, and a guess would import wrong names';
  try {
    for await (const chunk of chunks) {
      if (!decoder && chunk.toString('latin1', 0, 3) === ZIP) kind = 'a workbook, or another archive, and no text';
      failed = chunk;
      decoder ??= new TextDecoder(CHARSETS[chunk[0] ?? 0] ?? 'utf-8', { fatal: true, ignoreBOM: true });
      const text = decoder.decode(chunk, { stream: true });
      const isMarked = found.hasMark === undefined && text.startsWith(MARK);
      if (text !== '') found.hasMark ??= isMarked;
      failed = Buffer.alloc(0);
      yield isMarked ? text.slice(MARK.length) : text;
    }
    decoder?.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    yield readable(failed, decoder?.encoding ?? 'utf-8');
    throw new NotText(`${name} is ${kind}. Save it as "CSV UTF-8"`);
  }
}
