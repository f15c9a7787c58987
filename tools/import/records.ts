import { parse } from 'csv-parse/sync';
import { Stop } from '../program/stop.ts';
import { type Joined, type Lines, MAX_LINE } from './lines.ts';

/** A cell of a CSV file. An empty cell without quotes is null. */
export type Cell = string | null;

export interface CsvRecord extends Joined {
  /** Undefined when the line is not CSV. */
  cells: readonly Cell[] | undefined;
}

/** How a text is read. MySQL writes `\\"` for a quote in a cell, and RFC 4180 two quotes. */
interface Dialect {
  delimiter: string;
  trim?: boolean;
  escape?: '"' | '\\';
}

/** The cells of one record (RFC 4180), or one with blanks around quotes. Undefined when a quote is missing or one too many. */
export function cellsOf(text: string, dialect: Dialect): readonly Cell[] | undefined {
  try {
    const [cells = [], another]: Cell[][] = parse(text, {
      ...dialect,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    });
    return another ? undefined : cells;
  } catch {
    return dialect.trim ? undefined : cellsOf(text, { ...dialect, trim: true });
  }
}

/** A record from a line on, which is not taken yet, and how many lines it has: it does not end in quotes. None at the end. */
export async function nextRecord(lines: Lines, dialect: Dialect, start = 0) {
  let [count, quotes, length] = [0, 0, 0];
  for (let text = await lines.at(start); text !== undefined; text = await lines.at(start + count)) {
    count++;
    quotes += (dialect.escape === '\\' ? text.replace(/\\./g, '') : text).split('"').length - 1;
    length += text.length + 1;
    if (length > MAX_LINE) break;
    const cells = quotes % 2 === 0 ? cellsOf(lines.first(count, start).text, dialect) : undefined;
    if (cells) return { count, cells };
    // A quote in the middle of a cell opens nothing.
    if (quotes % 2 === 0 || (count === 1 && !cellsOf(`${text}"`, dialect))) break;
  }
  return { count: Math.min(count, 1), cells: undefined };
}

/** Whether a quote opens a cell. */
const opensIn = (text: string, delimiter: string): boolean =>
  text.split(delimiter).some((cell) => cell.trimStart().startsWith('"'));

/**
 * The records of a CSV text. A line whose quotes are all in the middle of cells is refused by itself.
 *
 * @throws {Stop} at a quote that opens a cell whose end is wrong, or may be another one: what stands in quotes must not be taken for rows
 */
export async function* recordsOf(lines: Lines, dialect: Dialect): AsyncGenerator<CsvRecord> {
  for (;;) {
    const { count, cells } = await nextRecord(lines, dialect);
    if (count === 0) return;
    const { text, line } = lines.first(count);
    const escaped = text.includes('\\"') ? await nextRecord(lines, { ...dialect, escape: '\\' }) : undefined;
    if (cells ? escaped?.cells && escaped.count > count : opensIn(text, dialect.delimiter))
      throw new Stop(
        `A quote in line ${line} is wrong, and what is behind it may be inside a cell: no line from there on is read. Correct line ${line}`,
      );
    yield { ...lines.take(count), cells };
  }
}
