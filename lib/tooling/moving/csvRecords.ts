import { parse } from 'csv-parse/sync';
import { type Line, type LineReader, MAX_LINE } from './lines.ts';

/** A cell of a CSV file. An empty cell without quotes is null. */
export type Cell = string | null;

export interface CsvRecord {
  /** The line that it begins on. */
  line: number;
  text: string;
  /** The line break that ended it. Empty if the file ends without one. */
  end: string;
  /** Undefined when the line is not CSV. */
  cells?: readonly Cell[];
}

/** The most lines of a quoted cell. A quote that is never closed spoils only its own line. */
const MAX_RECORD_LINES = 1_000;

/** The cells of a record. Undefined when it is not CSV. */
export function parseCells(text: string, delimiter: string): readonly Cell[] | undefined {
  // Most lines have no quotes. Creating a parser takes two hundred times as long.
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

/** How many of the next lines form a record. 1 when its quotes are not closed. */
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
 * The next record of a CSV file (RFC 4180). When a record cannot be read, or has several lines but not the right columns, only
 * its first line is given up, and reading continues with the second: a stray quote may have joined these lines.
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
