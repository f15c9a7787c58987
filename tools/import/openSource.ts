import { type ColumnMap, plain } from './columns.ts';
import { csvSource } from './csvSource.ts';
import { lineBreaksIn, utf8Of } from './encoding.ts';
import { jqCommand, shapeOf } from './jsonDocument.ts';
import { ndjsonSource } from './ndjsonSource.ts';
import { MAX_LINE } from './records.ts';
import type { Source, SourceOptions } from './source.ts';
import { Stop } from './stop.ts';

/**
 * What stands before the data: empty lines, the two lines that `npm run` prints, the separator in a file of Excel, the type in one of
 * PowerShell, the version in one of Entra. Separators may follow them if a spreadsheet has saved the file again.
 */
const NOTES = /^(?:(?:[ \t,;]*|"?sep=.?"?|> .*|"?#TYPE .*|"?version:v[\d.]+"?[,;\t ]*)(?:\r\n|\r(?!$)|\n))+/i;

/** Whether a text has its first row, which may have line breaks in quotes. In JSON they are escaped. */
function hasFirstRow(text: string): boolean {
  let [quotes, start] = [0, 0];
  for (const { index } of text.matchAll(/\r\n|\n|\r(?!$)/g)) {
    quotes += text.slice(start, index).split('"').length - 1;
    start = index;
    if (quotes % 2 === 0 || /^[[{]/.test(text)) return true;
  }
  return false;
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Reads no more than is needed to recognise a file: a pipe may stay open. */
async function readHead(rest: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for (;;) {
    const next = await rest.next();
    if (next.done) return head;
    head = Buffer.concat([head, next.value]);
    if (head.length > 2 * MAX_LINE || hasFirstRow(head.toString().replace(NOTES, ''))) return head;
  }
}

export interface OpenOptions {
  name: string;
  /** The path of the file, in a command. */
  path?: string;
  map?: ColumnMap;
  keepsIds?: boolean;
  say: (sentence: string) => void;
}

/**
 * Reads users from NDJSON if the text begins with a brace, else from CSV.
 *
 * @throws {Stop} when it is neither, or has no names of users
 */
export async function openSource(
  chunks: AsyncIterable<Buffer>,
  { name, path = '-', map = [], keepsIds = false, say }: OpenOptions,
): Promise<Source> {
  const rest = utf8Of(chunks, name)[Symbol.asyncIterator]();
  const bytes = await readHead(rest);
  const whole = bytes.toString();
  const [notes = ''] = NOTES.exec(whole) ?? [];
  const head = whole.slice(notes.length);
  const text = joined(bytes.subarray(Buffer.byteLength(notes)), rest);
  const options: SourceOptions = {
    name,
    map,
    say,
    line: lineBreaksIn(notes) + 1,
    isTaken: (column, given) =>
      column === 'id' ? keepsIds : column !== undefined || (keepsIds && plain(given) === 'createdat'),
  };
  if (!/^\s*[[{]/.test(head)) return csvSource(text, head, options);
  const lines = head.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  const shape = shapeOf(lines, map);
  if (shape === 'lines') return ndjsonSource(text, lines, options);
  await text.return(undefined);
  throw new Stop(
    `${name} is one JSON document: import takes one JSON object per line. This makes lines of it:\n${jqCommand(shape, path)}`,
  );
}
