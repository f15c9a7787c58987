import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { exactNumber } from '../../lib/http/request/numbers.ts';
import { unescapeFormula } from '../../lib/http/response/formulas.ts';
import { userInput } from '../../schemas/user.ts';
import {
  type Column,
  type Field,
  hasName,
  listed,
  missingIn,
  type Taken,
  takenOf,
  withName,
  withoutName,
} from './columns.ts';
import { type Cell, type CsvRecord, MAX_LINE, recordsOf } from './records.ts';
import type { Source, SourceEntry, SourceOptions } from './source.ts';
import { Stop } from './stop.ts';

const DELIMITERS = [',', ';', '\t'];

/** A file of refused lines has these before the other columns. */
const REFUSED_COLUMNS = ['line', 'message'];

interface CsvHeader {
  columns: readonly string[];
  taken: Taken;
  delimiter: string;
  /** If the header of a file is quoted, every cell is. Then a quoted empty cell has no value, either. */
  isAllQuoted: boolean;
  /** How many cells of a row come from an earlier import. */
  refusedCells: number;
}

function columnsIn(head: string, delimiter: string): string[] {
  for (const trim of [false, true]) {
    try {
      const [row = []]: string[][] = parse(head, { delimiter, trim, relax_column_count: true, to: 1 });
      return row.map((cell) => cell.trim());
    } catch {}
  }
  return [];
}

/** How many columns of ours a header has. Two for one are refused later. */
const score = (columns: readonly string[], { map }: SourceOptions): number =>
  columns.filter((column) => takenOf([column], map)[0] !== undefined).length;

/** The header row, split by the delimiter that gives the most columns of ours, or the most at all. */
function readHeader(head: string, options: SourceOptions): CsvHeader {
  const [best] = DELIMITERS.map((delimiter) => ({ columns: columnsIn(head, delimiter), delimiter })).toSorted(
    (a, b) => score(b.columns, options) - score(a.columns, options) || b.columns.length - a.columns.length,
  );
  const { columns = [], delimiter = ',' } = best ?? {};
  const refusedCells = REFUSED_COLUMNS.every((column, index) => columns[index] === column) ? REFUSED_COLUMNS.length : 0;
  const taken = takenOf(columns, options.map, options.name);
  if (!hasName(taken)) throw withoutName(options.name, columns.slice(refusedCells), taken.slice(refusedCells));
  const missing = missingIn(columns, options.map);
  if (missing.length > 0)
    throw new Stop(`--map: ${options.name} has no column ${listed(missing)}. Its columns: ${listed(columns)}`);
  return { columns, taken, delimiter, isAllQuoted: head.trimStart().startsWith('"'), refusedCells };
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
  const value = (column: Column | undefined, cell: Cell) =>
    column === undefined || column === 'id' ? undefined : readCell(column, cell, isAllQuoted);
  const values = taken.map((column, index) => [column, value(column, cells[index] ?? null)] as const);
  return withName(Object.fromEntries(values.filter(([, each]) => each !== undefined)));
}

function toEntry({ line, text, cells }: CsvRecord, header: CsvHeader): SourceEntry {
  if (text.length > MAX_LINE) return { line, origin: [text], flaw: `The line is longer than ${MAX_LINE} characters` };
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

async function* entriesOf(records: AsyncIterable<CsvRecord>, header: CsvHeader): AsyncGenerator<SourceEntry> {
  let isHeader = true;
  for await (const record of records) {
    if (!isHeader && !isEmpty(record)) yield toEntry(record, header);
    isHeader = false;
  }
}

/**
 * Users in CSV: columns in any order, separated by commas, semicolons or tabs.
 *
 * @param head the beginning of the text, with the whole first row
 * @throws {Stop} when the first row does not name the columns
 */
export function csvSource(text: AsyncIterable<Buffer>, head: string, options: SourceOptions): Source {
  const header = readHeader(head, options);
  const { columns, taken, delimiter, refusedCells, isAllQuoted } = header;
  const others = columns.filter(
    (column, index) => index >= refusedCells && column !== '' && !options.isTaken(taken[index], column),
  );
  if (others.length > 0) options.say(`Columns that are not taken: ${listed([...new Set(others)])}`);
  // A quoted empty cell is an empty text. In a file that quotes every cell it has no value, and the head of this file is not quoted.
  const row = (cells: readonly unknown[]) =>
    stringify([cells.map((cell) => (cell === '' && isAllQuoted ? null : cell))], {
      delimiter,
      record_delimiter: 'windows',
      quoted_match: /^$|^\s|\s$|[\r\n]/,
    });
  return {
    entries: entriesOf(recordsOf(text, { delimiter, width: columns.length, line: options.line }), header),
    refusedHead: row([...REFUSED_COLUMNS, ...columns.slice(refusedCells)]),
    refusedLine: ({ line, origin }, message) => row([line, message, ...origin]),
  };
}
