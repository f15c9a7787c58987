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

export const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Small pieces are joined until the beginning of a file can be recognised. */
async function* recognisable(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (first) first = Buffer.concat([first, chunk]);
    if (first && first.length < SIGNATURE_BYTES) continue;
    yield first ?? chunk;
    first = undefined;
  }
  if (first) yield first;
}

function charsetOf(bytes: Buffer, name: string): string {
  const start = bytes.toString('hex', 0, SIGNATURE_BYTES);
  const [, kind] = SIGNATURES.find(([signature]) => start.startsWith(signature)) ?? [];
  if (kind !== undefined) throw new Stop(`${name} is ${kind}`);
  if (start.startsWith('fffe')) return 'utf-16le';
  return start.startsWith('feff') ? 'utf-16be' : 'utf-8';
}

/** Decodes text, and counts its line breaks. */
function createDecoder(charset: string, name: string) {
  const [strict, soft] = [new TextDecoder(charset, { fatal: true }), new TextDecoder(charset)];
  let [breaks, endsWithCr] = [0, false];
  const lineOf = (text: string, mark: string) => breaks + lineBreaksIn(text.slice(0, text.indexOf(mark))) + 1;
  return {
    decode(bytes?: Buffer): string {
      const options = { stream: bytes !== undefined };
      const text = soft.decode(bytes, options);
      try {
        strict.decode(bytes, options);
      } catch {
        const line = lineOf(text, '\uFFFD');
        throw new Stop(`${name} is not UTF-8 (line ${line}), and a guess would import wrong names. ${AGAIN}`);
      }
      // Text has no NUL, but each ASCII character of UTF-16 is half one.
      if (text.includes('\0'))
        throw new Stop(`${name} has zero bytes (line ${lineOf(text, '\0')}), as UTF-16 without a mark has. ${AGAIN}`);
      breaks += lineBreaksIn(text) - Number(endsWithCr && text.startsWith('\n'));
      endsWithCr = text === '' ? endsWithCr : text.endsWith('\r');
      return text;
    },
    breaks: () => breaks,
  };
}

/**
 * The UTF-8 bytes of a text file, without a byte order mark; UTF-16 with such a mark is decoded.
 *
 * @throws {Stop} when it is something else: guessing another encoding would garble names
 */
export async function* utf8Of(
  chunks: AsyncIterable<Buffer>,
  name: string,
  onEnd: (lines: number) => void = () => {},
): AsyncGenerator<Buffer> {
  let [decoder, last]: [ReturnType<typeof createDecoder> | undefined, string] = [undefined, ''];
  for await (const bytes of recognisable(chunks)) {
    decoder ??= createDecoder(charsetOf(bytes, name), name);
    const text = decoder.decode(bytes);
    last = text.at(-1) ?? last;
    if (text !== '') yield Buffer.from(text);
  }
  decoder?.decode();
  onEnd((decoder?.breaks() ?? 0) + Number(last !== '' && !'\r\n'.includes(last)));
}

/**
 * Reads a file to its end, so that nothing is sent when it is in another encoding.
 *
 * @returns how many lines it has
 * @throws {Stop} when it is no text in UTF-8
 */
export async function countLines(chunks: AsyncIterable<Buffer>, name: string): Promise<number> {
  let total = 0;
  for await (const _ of utf8Of(chunks, name, (lines) => (total = lines)));
  return total;
}
