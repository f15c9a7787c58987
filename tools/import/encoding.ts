import { Stop } from './stop.ts';

/** How files begin that are no text. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['504b0304', 'a workbook or a zip archive: save its table as "CSV UTF-8"'],
  ['d0cf11e0', 'a workbook: save its table as "CSV UTF-8"'],
  ['1f8b', 'compressed: unpack it with gunzip first'],
];

/** Enough for every signature and byte order mark. */
const SIGNATURE_BYTES = 4;

const AGAIN = 'Save it again as "CSV UTF-8", or as UTF-8, with the program that wrote it';

function charsetOf(bytes: Buffer, name: string): string {
  const start = bytes.toString('hex', 0, SIGNATURE_BYTES);
  const [, kind] = SIGNATURES.find(([signature]) => start.startsWith(signature)) ?? [];
  if (kind !== undefined) throw new Stop(`${name} is ${kind}`);
  if (start.startsWith('fffe')) return 'utf-16le';
  return start.startsWith('feff') ? 'utf-16be' : 'utf-8';
}

/** Decodes text, and counts its line breaks, so that it can say which line is no text. */
function createDecoder(charset: string, name: string) {
  const [strict, soft] = [new TextDecoder(charset, { fatal: true }), new TextDecoder(charset)];
  let line = 1;
  const breaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;
  const lineOf = (text: string, mark: string): number => line + breaksIn(text.slice(0, text.indexOf(mark)));
  /** Without bytes, the text has ended. */
  return (bytes?: Buffer): string => {
    const options = { stream: bytes !== undefined };
    const text = soft.decode(bytes, options);
    try {
      strict.decode(bytes, options);
    } catch {
      const guess = 'and a guess would import wrong names';
      throw new Stop(`${name} is not UTF-8 (line ${lineOf(text, '\uFFFD')}), ${guess}. ${AGAIN}`);
    }
    // Text has no NUL, but each ASCII character of UTF-16 is half one.
    if (text.includes('\0'))
      throw new Stop(`${name} has zero bytes (line ${lineOf(text, '\0')}), as UTF-16 without a mark has. ${AGAIN}`);
    line += breaksIn(text);
    return text;
  };
}

/**
 * A file in UTF-8, or in UTF-16 with a byte order mark, without this mark.
 *
 * @throws {Stop} when it is something else: guessing another encoding would garble names
 */
export async function* textOf(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<string> {
  let [kept, decode]: [Buffer, ReturnType<typeof createDecoder> | undefined] = [Buffer.alloc(0), undefined];
  for await (const chunk of chunks) {
    kept = Buffer.concat([kept, chunk]);
    // Small pieces are joined until the beginning can be recognised.
    if (!decode && kept.length < SIGNATURE_BYTES) continue;
    decode ??= createDecoder(charsetOf(kept, name), name);
    yield decode(kept);
    kept = Buffer.alloc(0);
  }
  decode ??= createDecoder(charsetOf(kept, name), name);
  yield decode(kept) + decode();
}
