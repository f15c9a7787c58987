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

/** The first line that is not UTF-8. Bytes that continue a character of an earlier chunk are skipped. */
function badLineIn(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  for (let line = 0; ; line++) {
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
  const decode = (bytes?: Buffer): string => {
    if (bytes && lines === 0) isUtf16 ||= startsLikeUtf16(bytes);
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw notUtf8(name, lines + 1 + (bytes ? badLineIn(bytes) : 0), isUtf16);
    }
  };
  for await (const bytes of chunks) {
    const text = decode(bytes);
    lines += linesIn(bytes);
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
