import { parse } from 'csv-parse/sync';
import { type Joined, type Lines, MAX_LINE } from './lines.ts';
import { Stop } from './stop.ts';

/** A cell of a CSV file. An empty cell without quotes is null. */
export type Cell = string | null;

export interface CsvRecord extends Joined {
  /** How many lines it has. */
  count: number;
  /** Undefined when the lines are not CSV. */
  cells: readonly Cell[] | undefined;
}

/** How a text is read. MySQL writes `\\"` for a quote in a cell, and RFC 4180 two quotes. */
interface Dialect {
  delimiter: string;
  trim?: boolean;
  escape?: '"' | '\\';
}

/** Dialect of a text whose records have so many cells. */
interface Table extends Dialect {
  columns: number;
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

type NextRecord = Awaited<ReturnType<typeof nextRecord>>;

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

/**
 * Whether a line may end in quotes, of which some may be wrong. Only one before a separator closes a cell, and two there may be one in the
 * cell, or a wrong one and the end.
 */
function mayBeOpenAfter(text: string, delimiter: string, wasOpen: boolean): boolean {
  const parts = text.replace(/\\"| /g, '').split('"');
  let [mayBeOpen, mayBeClosed, hasBegun] = [wasOpen, !wasOpen, false];
  for (let index = 1; index < parts.length; index++) {
    const [before = '', after = ''] = [parts[index - 1], parts[index]];
    const isBegin = mayBeClosed && (before.endsWith(delimiter) || (index === 1 && before === ''));
    const isEnd = mayBeOpen && (after.startsWith(delimiter) || (index === parts.length - 1 && after === ''));
    const isSecond = index > 1 && before === '' && !hasBegun;
    hasBegun = isBegin && !mayBeOpen;
    [mayBeOpen, mayBeClosed] = [isBegin || (mayBeOpen && (!isEnd || isSecond)), isEnd || (mayBeClosed && !isBegin)];
  }
  return mayBeOpen;
}

/** Whether the first quote of a line opens a cell, and could not close one. */
function opens(text: string, delimiter: string): boolean {
  const [before, after = ''] = text.split('"').map((part) => part.replaceAll(' ', ''));
  return mayBeOpenAfter(`${before}"`, delimiter, false) && after !== '' && !after.startsWith(delimiter);
}

/**
 * How many lines are refused, because they are no CSV or may be the inside of a cell whose quotes are wrong: up to the line that closes it,
 * or to the last one with a quote before a record that is right. 0 if none.
 *
 * @throws {Stop} when neither comes in time: what stands in quotes must not be taken for rows, nor fill the memory
 */
async function refusedLines(
  lines: Lines,
  { columns, ...dialect }: Table,
  { count, cells }: NextRecord,
): Promise<number> {
  const { delimiter } = dialect;
  const { text, line } = lines.first(count);
  if (!text.includes('"')) return 0;
  if (!cells || text.includes('\\"')) {
    const escaped = await nextRecord(lines, { ...dialect, escape: '\\' });
    if (escaped.cells && escaped.count > (cells ? count : 0)) return escaped.count;
  }
  let [end, isOpen, length] = [cells ? 0 : count, !cells && mayBeOpenAfter(text, delimiter, false), 0];
  let next: string | undefined;
  for (let index = count; length <= MAX_LINE; index = Math.max(index + 1, end)) {
    next = await lines.at(index);
    if (next === undefined) break;
    length += next.length + 1;
    if (!next.includes('"')) continue;
    const own = await nextRecord(lines, dialect, index);
    const isInside = mayBeOpenAfter(next, delimiter, true);
    const isBegin = own.cells?.length === columns && opens(next, delimiter);
    if (isOpen ? isBegin : own.cells || isInside || opens(next, delimiter)) return end;
    end = index + own.count;
    isOpen = own.cells !== undefined || isInside || mayBeOpenAfter(next, delimiter, false);
    if (!isOpen) return end;
  }
  if (isOpen && (await lines.at(end)) !== undefined)
    throw new Stop(
      `A quote in line ${line} is wrong, and what is behind it may be inside a cell: no line from there on is read. Correct line ${line}`,
    );
  return end;
}

/** The records of a CSV text. Lines that are no CSV, and what may be inside them, are one of them. */
export async function* recordsOf(lines: Lines, { columns, ...dialect }: Table): AsyncGenerator<CsvRecord> {
  for (;;) {
    const next = await nextRecord(lines, dialect);
    if (next.count === 0) return;
    const refused = await refusedLines(lines, { columns, ...dialect }, next);
    const count = refused || next.count;
    yield { ...lines.take(count), count, cells: refused > 0 ? undefined : next.cells };
  }
}
