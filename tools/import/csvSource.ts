import { stringify } from 'csv-stringify/sync';
import { exactNumber } from '../../lib/http/request/numbers.ts';
import { unescapeFormula } from '../../lib/http/response/formulas.ts';
import { userInput } from '../../schemas/user.ts';
import {
  checkColumns,
  type Field,
  listed,
  meantBy,
  REFUSED_COLUMNS,
  type SourceOptions,
  type Taken,
  takenOf,
  withName,
} from './columns.ts';
import type { Lines } from './lines.ts';
import { type Cell, type CsvRecord, cellsOf, lengthOfRecord, recordsOf } from './records.ts';
import type { Source, SourceEntry } from './source.ts';
import { Stop } from './stop.ts';

const DELIMITERS = [',', ';', '\t'];

interface CsvHeader {
  columns: readonly string[];
  taken: Taken;
  delimiter: string;
  /** If the header of a file is quoted, every cell is. Then a quoted empty cell has no value, either. */
  isAllQuoted: boolean;
  /** How many cells of a row come from an earlier import. */
  refusedCells: number;
}

const columnsIn = (row: string, delimiter: string): string[] =>
  (cellsOf(row, delimiter) ?? []).map((cell) => (cell ?? '').trim());

/** How many columns of ours a header has. Two for one are refused later. */
const score = (columns: readonly string[], { map }: SourceOptions): number =>
  columns.filter((column) => takenOf([column], map)[0] !== undefined).length;

/** The header row, split by the delimiter that gives the most columns of ours, or the most at all. */
function readHeader(row: string, options: SourceOptions): CsvHeader {
  const [best] = DELIMITERS.map((delimiter) => ({ columns: columnsIn(row, delimiter), delimiter })).toSorted(
    (a, b) => score(b.columns, options) - score(a.columns, options) || b.columns.length - a.columns.length,
  );
  const { columns = [], delimiter = ',' } = best ?? {};
  const { map, title } = options;
  const taken = takenOf(columns, map, title);
  checkColumns(columns, taken, options);
  const missing = map.map(({ from }) => from).filter((from) => meantBy(from, columns).length === 0);
  if (missing.length > 0)
    throw new Stop(`--map: ${title} has no column ${listed(missing)}. Its columns: ${listed(columns)}`);
  const refusedCells = REFUSED_COLUMNS.every((column, index) => columns[index] === column) ? REFUSED_COLUMNS.length : 0;
  return { columns, taken, delimiter, isAllQuoted: row.trimStart().startsWith('"'), refusedCells };
}

/** CSV has numbers as text. Text that is not a number stays text, and the validator refuses it. */
const toNumber = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? exactNumber(text) : text);

/** Undefined for "no value". A quoted empty cell is an empty text, if the field allows that. */
function readCell(field: Field, cell: Cell, isAllQuoted: boolean): unknown {
  const rules = userInput.properties[field];
  if (cell === null) return undefined;
  if (cell === '') return 'format' in rules && rules.format === 'text' && !isAllQuoted ? '' : undefined;
  return field === 'age' ? toNumber(cell) : unescapeFormula(cell);
}

function toUser(cells: readonly Cell[], { taken, isAllQuoted }: CsvHeader): Record<string, unknown> {
  const values = taken.flatMap((column, index) => {
    if (column === undefined || column === 'id') return [];
    const value = readCell(column, cells[index] ?? null, isAllQuoted);
    return value === undefined ? [] : [[column, value] as const];
  });
  return withName(Object.fromEntries(values));
}

function toEntry({ line, text, cells }: CsvRecord, header: CsvHeader): SourceEntry {
  if (!cells)
    return { line, origin: [text], flaw: 'The line is not CSV: a quote is missing, or there is one too many' };
  const origin = cells.slice(header.refusedCells);
  const expected = header.columns.length;
  if (cells.length !== expected)
    return { line, origin, flaw: `The line has ${cells.length} cells, and the first row ${expected}` };
  const id = cells[header.taken.indexOf('id')] ?? undefined;
  const user = toUser(cells, header);
  return { line, origin, user, ...(id !== undefined && { id: /^\d+$/.test(id) ? Number(id) : id }) };
}

/** Spreadsheets leave rows that have only separators, blanks or quotes. */
const isEmpty = ({ cells }: CsvRecord): boolean => cells?.every((cell) => (cell ?? '').trim() === '') ?? false;

async function* entriesOf(lines: Lines, header: CsvHeader): AsyncGenerator<SourceEntry> {
  for await (const record of recordsOf(lines, header.delimiter, header.columns.length))
    if (!isEmpty(record)) yield toEntry(record, header);
}

/**
 * Users in CSV: columns in any order, separated by commas, semicolons or tabs.
 *
 * @throws {Stop} when the first row does not name the columns
 */
export async function csvSource(lines: Lines, options: SourceOptions): Promise<Source> {
  const header = readHeader(lines.take(await lengthOfRecord(lines)).text, options);
  const { columns, delimiter, refusedCells, isAllQuoted } = header;
  // A quoted empty cell is an empty text. In a file that quotes every cell it has no value, and the head of this file is not quoted.
  const row = (cells: readonly unknown[]) =>
    stringify([cells.map((cell) => (cell === '' && isAllQuoted ? null : cell))], {
      delimiter,
      record_delimiter: 'windows',
      quoted_match: /^$|^\s|\s$|[\r\n]/,
    });
  return {
    entries: entriesOf(lines, header),
    refusedHead: row([...REFUSED_COLUMNS, ...columns.slice(refusedCells)]),
    refusedLine: ({ line, origin }, message) => row([line, message, ...origin]),
  };
}
