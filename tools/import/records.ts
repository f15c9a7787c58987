import { parse } from 'csv-parse/sync';
import { type Lines, MAX_LINE, type Taken } from './lines.ts';

/** A cell of a CSV file. An empty cell without quotes is null. */
export type Cell = string | null;

export interface CsvRecord extends Taken {
  /** Undefined when the line is not CSV. */
  cells?: readonly Cell[];
}

interface Shape {
  delimiter: string;
  /** Whether blanks around quotes are left out. */
  trim?: boolean;
}

/** The cells of one record (RFC 4180). Undefined when a quote is missing, or there is one too many. */
export function cellsOf(text: string, { delimiter, trim = false }: Shape): readonly Cell[] | undefined {
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
    return undefined;
  }
}

/** How many lines the next record has: it does not end in quotes. 0 at the end. */
export async function lengthOfRecord(lines: Lines): Promise<number> {
  let [count, quotes, length] = [0, 0, 0];
  do {
    const next = await lines.at(count);
    if (!next) break;
    count++;
    quotes += next.text.split('"').length - 1;
    length += next.text.length;
  } while (quotes % 2 === 1 && length <= MAX_LINE);
  return count;
}

/**
 * The records of a CSV text. When a record cannot be read, or has several lines but not the right number of cells, only its first
 * line is given up, and reading begins again with the second: a stray quote may have joined these lines. Blanks around quotes are
 * left out from the first record on that has them.
 */
export async function* recordsOf(lines: Lines, delimiter: string, width?: number): AsyncGenerator<CsvRecord> {
  let trims = false;
  function read(text: string, hasSeveralLines: boolean): readonly Cell[] | undefined {
    if (text.length > MAX_LINE) return undefined;
    for (const trim of trims ? [true] : [false, true]) {
      const cells = cellsOf(text, { delimiter, trim });
      if (!cells || (hasSeveralLines && width !== undefined && cells.length !== width)) continue;
      trims = trim;
      return cells;
    }
    return undefined;
  }
  try {
    for (let count = await lengthOfRecord(lines); count > 0; count = await lengthOfRecord(lines)) {
      const cells = read(lines.first(count).text, count > 1);
      yield cells ? { ...lines.take(count), cells } : lines.take(1);
    }
  } finally {
    await lines.close();
  }
}
