import { parse } from 'csv-parse/sync';
import type { Joined, Lines } from './lines.ts';

/** A cell of a CSV file. An empty cell without quotes is null. */
export type Cell = string | null;

export interface CsvRecord extends Joined {
  /** Undefined when the line is not CSV. */
  cells?: readonly Cell[];
}

/** In UTF-16 units. Nobody needs more lines in one cell: a quote is missing. */
const MAX_RECORD = 262_144;

/** The cells of one record (RFC 4180), or one with blanks around quotes. Undefined when a quote is missing or one too many. */
export function cellsOf(text: string, delimiter: string, trim = false): readonly Cell[] | undefined {
  try {
    const [cells = [], another]: Cell[][] = parse(text, {
      delimiter,
      trim,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    });
    return another ? undefined : cells;
  } catch {
    return trim ? undefined : cellsOf(text, delimiter, true);
  }
}

/** How many lines the next record has: it does not end in quotes. 0 at the end. */
export async function lengthOfRecord(lines: Lines): Promise<number> {
  let [count, quotes, length] = [0, 0, 0];
  do {
    const next = await lines.at(count);
    if (next === undefined) break;
    count++;
    quotes += next.split('"').length - 1;
    length += next.length;
  } while (quotes % 2 === 1 && length <= MAX_RECORD);
  return count;
}

/**
 * The records of a CSV text. When a record cannot be read, or has several lines but not the right number of cells, only its first
 * line is given up, and reading begins again with the second: a stray quote may have joined these lines.
 */
export async function* recordsOf(lines: Lines, delimiter: string, width: number): AsyncGenerator<CsvRecord> {
  for (let count = await lengthOfRecord(lines); count > 0; count = await lengthOfRecord(lines)) {
    const cells = cellsOf(lines.first(count).text, delimiter);
    yield cells && (count === 1 || cells.length === width) ? { ...lines.take(count), cells } : lines.take(1);
  }
}
