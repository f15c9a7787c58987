import { Stop } from '../program/stop.ts';
import { hasNames } from './checkColumns.ts';
import { checkNamed, fallbacksIn, REFUSED_COLUMNS, type SourceOptions, type Taken, takenOf } from './columns.ts';
import { areNames, isAddress, isValue } from './likely.ts';
import type { Lines } from './lines.ts';
import { type Cell, nextRecord } from './records.ts';

const DELIMITERS = [',', ';', '\t', '|'];

export type CsvHeader = Awaited<ReturnType<typeof readHeader>>;

const trimmed = (cells: readonly Cell[]): string[] => cells.map((cell) => (cell ?? '').trim());

/** The meaning of each column, although two may have the same. Any text could name an attribute. */
const singly = (columns: readonly string[], options: SourceOptions): Taken =>
  columns.flatMap((column) => takenOf([column], { ...options, takesOthers: false }));

/** Whether names stand above values, in any language: an address has a text above it that is none, and nothing there is a value. */
const areAbove = (columns: readonly string[], next: readonly string[]): boolean =>
  !columns.some(isValue) && next.some((cell, index) => isAddress(cell) && columns[index]);

/** @throws {Stop} when the first row does not look like names of columns. Its cells may be secrets, and are not printed */
function checkFirstRow(columns: readonly string[], next: readonly string[], options: SourceOptions): void {
  const isMeant = fallbacksIn(columns, options).length > 0;
  if (isMeant || hasNames(singly(columns, options)) || areNames(columns) || areAbove(columns, next)) return;
  throw new Stop(
    `The first row of ${options.title} must name the columns, and seems to be a user, or a note. Put such a row before it (name,email), or take the note away`,
  );
}

/**
 * The first row, which is not taken yet, with the delimiter that gives the most columns of ours, or the most at all.
 *
 * @throws {Stop} when it does not name columns, or not those of `--map` and `--ignore`
 */
export async function readHeader(lines: Lines, options: SourceOptions) {
  const rows = [];
  for (const delimiter of DELIMITERS) {
    const { count, cells = [] } = await nextRecord(lines, { delimiter });
    const columns = trimmed(cells);
    /** If the header has blanks around its cells, so have all rows. */
    const isSpaced = cells.some((cell, index) => (cell ?? '') !== columns[index]);
    const ours = singly(columns, options).filter((column) => column !== undefined).length;
    rows.push({ delimiter, count, columns, isSpaced, ours });
  }
  const [best] = rows.toSorted((a, b) => b.ours - a.ours || b.columns.length - a.columns.length);
  const { columns = [], delimiter = ',', count = 0, isSpaced = false } = best ?? {};
  const { cells: next = [] } = await nextRecord(lines, { delimiter }, count);
  checkFirstRow(columns, trimmed(next), options);
  const { map, title, nameFrom = [] } = options;
  checkNamed([...map.map(({ from }) => from), ...nameFrom], columns, title);
  /** How many cells of a row come from an earlier import. */
  const refusedCells = REFUSED_COLUMNS.every((column, index) => columns[index] === column) ? REFUSED_COLUMNS.length : 0;
  /** If the header of a file is quoted, every cell is. Then a quoted empty cell has no value, either. */
  const isAllQuoted = lines.first(count).text.trimStart().startsWith('"');
  return { columns, taken: takenOf(columns, options, title), delimiter, count, isAllQuoted, isSpaced, refusedCells };
}
