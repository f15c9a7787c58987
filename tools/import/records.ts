import { parse } from 'csv-parse/sync';
import { type Joined, type Lines, MAX_LINE } from './lines.ts';
import { Stop } from './stop.ts';

/** A cell of a CSV file. An empty cell without quotes is null. */
export type Cell = string | null;

export interface CsvRecord extends Joined {
  /** Undefined when the line is not CSV. */
  cells: readonly Cell[] | undefined;
}

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

/**
 * The next record, which is not taken yet, and how many lines it has: it does not end in quotes. 0 at the end.
 *
 * @throws {Stop} when quotes do not end in time: what stands in them must not be taken for rows, nor fill the memory
 */
export async function nextRecord(lines: Lines, delimiter: string, trim = false) {
  let [count, quotes, length] = [0, 0, 0];
  for (let text = await lines.at(0); text !== undefined; text = await lines.at(count)) {
    count++;
    quotes += text.split('"').length - 1;
    length += text.length + 1;
    if (length > MAX_LINE)
      throw new Stop(`Quotes in line ${lines.first(1).line} do not end within ${MAX_LINE} characters: is one missing?`);
    const cells = quotes % 2 === 0 ? cellsOf(lines.first(count).text, delimiter, trim) : undefined;
    if (cells) return { count, cells };
    // A quote in the middle of a cell opens nothing.
    if (quotes % 2 === 0 || (count === 1 && !cellsOf(`${text}"`, delimiter, trim))) break;
  }
  return { count: Math.min(count, 1), cells: undefined };
}

/** The records of a CSV text. When it is no CSV, only a line is given up, and reading begins again with the next one. */
export async function* recordsOf(lines: Lines, delimiter: string, trim: boolean): AsyncGenerator<CsvRecord> {
  for (;;) {
    const { count, cells } = await nextRecord(lines, delimiter, trim);
    if (count === 0) return;
    yield { ...lines.take(count), cells };
  }
}
