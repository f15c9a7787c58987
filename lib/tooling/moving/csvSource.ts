import { stringify } from 'csv-stringify/sync';
import { user, userInput } from '../../../schemas/user.ts';
import { unescapeFormula } from '../../http/response/formulas.ts';
import { type Cell, type CsvRecord, nextRecord, parseCells } from './csvRecords.ts';
import { type LineReader, MAX_LINE } from './lines.ts';
import type { Source, SourceEntry } from './source.ts';
import { Stop } from './stop.ts';

const DELIMITERS = [',', ';', '\t'];

/** A file of refused lines has these before the other columns. */
const REFUSED_COLUMNS = ['line', 'message'];

const isField = (column: string): column is keyof typeof userInput.properties =>
  Object.hasOwn(userInput.properties, column);

const isKnown = (column: string): boolean => Object.hasOwn(user.properties, column) || REFUSED_COLUMNS.includes(column);

interface CsvHeader {
  columns: readonly string[];
  delimiter: string;
  /** If the header of a file is quoted, every cell is. Then a quoted empty cell has no value, either. */
  isAllQuoted: boolean;
}

const columnsOf = (text: string, delimiter: string): string[] =>
  (parseCells(text, delimiter) ?? []).map((cell) => cell?.trim() ?? '');

const fieldsAmong = (columns: readonly string[]): number => columns.filter(isField).length;

/** The header row, split by the delimiter that gives the most known fields. */
function toHeader(text: string, name: string): CsvHeader {
  const [best = { columns: [], delimiter: ',' }] = DELIMITERS.map((delimiter) => ({
    columns: columnsOf(text, delimiter),
    delimiter,
  })).toSorted((a, b) => fieldsAmong(b.columns) - fieldsAmong(a.columns));
  const twice = best.columns.find(
    (column, index) => (isField(column) || column === 'id') && best.columns.indexOf(column) < index,
  );
  if (twice !== undefined) throw new Stop(`${name} has two columns ${twice}`);
  if (!best.columns.includes('name'))
    throw new Stop(`${name} has no column "name" in its first row, which names the columns`);
  return { ...best, isAllQuoted: text.trimStart().startsWith('"') };
}

/** CSV has numbers as text. Text that is not a number stays text, and the validator refuses it. */
const toNumber = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Undefined for "no value". A quoted empty cell is an empty text, if the field allows that. */
function readCell(column: keyof typeof userInput.properties, cell: Cell, { isAllQuoted }: CsvHeader): unknown {
  const rules = userInput.properties[column];
  if (cell === null) return undefined;
  if (cell === '') return 'format' in rules && rules.format === 'text' && !isAllQuoted ? '' : undefined;
  return column === 'age' ? toNumber(cell) : unescapeFormula(cell);
}

function toUser(cells: readonly Cell[], header: CsvHeader): Record<string, unknown> {
  const values = header.columns.map((column, index) => [
    column,
    isField(column) ? readCell(column, cells[index] ?? null, header) : undefined,
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function toSourceEntry({ line, text, cells }: CsvRecord, header: CsvHeader): SourceEntry {
  if (text.length > MAX_LINE) return { line, origin: [text], flaw: `The line is longer than ${MAX_LINE} characters` };
  if (!cells)
    return { line, origin: [text], flaw: 'The line is not CSV: a quote is missing, or there is one too many' };
  const expected = header.columns.length;
  const id = cells[header.columns.indexOf('id')] ?? undefined;
  if (cells.length === expected)
    return {
      line,
      origin: cells,
      user: toUser(cells, header),
      ...(id !== undefined && { id: /^\d+$/.test(id) ? Number(id) : id }),
    };
  return { line, origin: cells, flaw: `The line has ${cells.length} cells, and the first row ${expected}` };
}

/** Spreadsheets leave rows that have only separators. */
const isEmpty = ({ cells }: CsvRecord): boolean => cells?.every((cell) => cell === null) ?? false;

async function* entriesOf(reader: LineReader, header: CsvHeader): AsyncGenerator<SourceEntry> {
  const read = (text: string) => parseCells(text, header.delimiter);
  const fits = (cells: readonly Cell[]) => cells.length === header.columns.length;
  for (;;) {
    const record = await nextRecord(reader, read, fits);
    if (record === undefined) return;
    if (!isEmpty(record)) yield toSourceEntry(record, header);
  }
}

/**
 * Users in CSV: columns in any order, separated by commas, semicolons or tabs.
 *
 * @throws {Stop} when the first row does not name the columns
 */
export async function csvSource(
  reader: LineReader,
  { name, onUnknown }: { name: string; onUnknown: (column: string) => void },
): Promise<Source> {
  const first = await nextRecord(
    reader,
    (text) => [text],
    () => true,
  );
  const header = toHeader(first?.text ?? '', name);
  for (const column of new Set(header.columns)) if (!isKnown(column) && column !== '') onUnknown(column);
  const { delimiter } = header;
  // A quoted empty cell is an empty text. In a file that quotes every cell it has no value, and the head of this file is not quoted.
  const row = (cells: readonly unknown[]) =>
    stringify([cells.map((cell) => (cell === '' && header.isAllQuoted ? null : cell))], {
      delimiter,
      record_delimiter: 'windows',
      quoted_match: /^$|[\r\n]/,
    });
  return {
    entries: entriesOf(reader, header),
    refusedHead: row([...REFUSED_COLUMNS, ...header.columns]),
    refusedLine: ({ line, origin }, message) => row([line, message, ...origin]),
  };
}
