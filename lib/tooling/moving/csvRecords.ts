import { parse } from 'csv-parse/sync';
import { type Line, type LineReader, MAX_LINE } from './lines.ts';

/** A cell of a CSV file: null where there is nothing, not even quotes. */
export type Cell = string | null;

export interface CsvRecord {
  /** The line that it begins on. */
  line: number;
  text: string;
  /** What ended it; nothing where the file ends without a line break. */
  end: string;
  /** Undefined when the line is no CSV. */
  cells?: readonly Cell[];
}

/** So many lines are looked through for the end of a quoted cell; a quote that nobody closes spoils its own line alone. */
const MAX_RECORD_LINES = 1_000;

/** The cells of a record, undefined when it is none. */
export function parseCells(text: string, delimiter: string): readonly Cell[] | undefined {
  // Most lines. To make a parser takes two hundred times as long.
  if (!text.includes('"')) return text.split(delimiter).map((cell) => (cell === '' ? null : cell));
  try {
    const rows: Cell[][] = parse(text, {
      delimiter,
      relax_column_count: true,
      cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    });
    return rows.length === 1 ? rows[0] : undefined;
  } catch {
    return undefined;
  }
}

/** How many of the next lines make a record; 1 where its quotes do not close. */
async function lengthOfNext(reader: LineReader): Promise<number> {
  let [quotes, size] = [0, 0];
  for (let count = 0; count < MAX_RECORD_LINES && size <= MAX_LINE; count++) {
    const line = await reader.peek(count);
    if (line === undefined) break;
    quotes += line.text.split('"').length - 1;
    size += line.text.length;
    if (quotes % 2 === 0) return count + 1;
  }
  return 1;
}

const joined = (lines: readonly Line[]): string =>
  lines.map(({ text, end }, index) => (index < lines.length - 1 ? text + end : text)).join('');

async function skipBlank(reader: LineReader): Promise<void> {
  for (let line = await reader.peek(); line?.text.trim() === ''; line = await reader.peek()) reader.take();
}

/**
 * The next record of a CSV file (RFC 4180). One that cannot be read costs its first line, and reading goes on with the
 * next; so does one of several lines that does not fit: lines that a stray quote has joined seldom do.
 */
export async function nextRecord(
  reader: LineReader,
  read: (text: string) => readonly Cell[] | undefined,
  fits: (cells: readonly Cell[]) => boolean,
): Promise<CsvRecord | undefined> {
  await skipBlank(reader);
  const length = await lengthOfNext(reader);
  const lines = reader.take(length);
  const [first] = lines;
  if (first === undefined) return undefined;
  const text = joined(lines);
  const cells = text.length > MAX_LINE ? undefined : read(text);
  if (cells && (length === 1 || fits(cells))) return { line: first.number, text, end: lines.at(-1)?.end ?? '', cells };
  reader.putBack(lines.slice(1));
  return { line: first.number, text: first.text, end: first.end };
}
