import { isUtf8 } from 'node:buffer';
import { Stop } from './stop.ts';

const LINE_FEED = 10;

const linesIn = (bytes: Buffer): number => bytes.reduce((count, byte) => count + Number(byte === LINE_FEED), 0);

/** Files in UTF-16 begin with a byte order mark. */
const startsLikeUtf16 = (bytes: Buffer): boolean => /^(fffe|feff)/.test(bytes.toString('hex', 0, 2));

function notUtf8(name: string, line: number, isUtf16: boolean): Stop {
  const [guess, charset] = isUtf16 ? ['UTF-16', 'UTF-16'] : ['Latin-1 or Windows-1252', 'WINDOWS-1252'];
  return new Stop(
    `${name} is not UTF-8 (line ${line}): it may be ${guess}. Save it as "CSV UTF-8", or convert it: iconv -f ${charset} -t UTF-8`,
  );
}

/** The bytes at the end of a chunk that may begin a character: it has up to four bytes. */
function begunIn(bytes: Buffer): Buffer<ArrayBufferLike> {
  const start = bytes.subarray(-3).findLastIndex((byte) => byte >= 0xc0);
  return start < 0 ? Buffer.alloc(0) : bytes.subarray(-3).subarray(start);
}

/** The first line that is not UTF-8. */
function badLineIn(bytes: Buffer): number {
  for (let start = 0, line = 0; ; line++) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1) return line;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

/**
 * Decodes UTF-8 without a byte order mark, and counts line breaks.
 *
 * @throws {Stop} when the bytes are not UTF-8: guessing another encoding would garble names
 */
export async function* decoded(
  chunks: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<{ text: string; lines: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [lines, isUtf16] = [0, false];
  let begun: Buffer = Buffer.alloc(0);
  const decode = (bytes?: Buffer): string => {
    if (bytes && lines === 0) isUtf16 ||= startsLikeUtf16(bytes);
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw notUtf8(name, lines + 1 + (bytes ? badLineIn(Buffer.concat([begun, bytes])) : 0), isUtf16);
    }
  };
  for await (const bytes of chunks) {
    const text = decode(bytes);
    lines += linesIn(bytes);
    begun = begunIn(Buffer.concat([begun, bytes]));
    yield { text, lines };
  }
  yield { text: decode(), lines };
}

/**
 * Reads a file to its end, so that nothing is sent when it is in another encoding.
 *
 * @returns how many lines it has
 * @throws {Stop} when it is not UTF-8
 */
export async function countLines(chunks: AsyncIterable<Buffer>, name: string): Promise<number> {
  let [ended, last] = [0, ''];
  for await (const { text, lines } of decoded(chunks, name)) {
    ended = lines;
    last = text.at(-1) ?? last;
  }
  return ended + Number(last !== '' && last !== '\n');
}
