import { stringify } from 'csv-stringify/sync';
import { user, userInput } from '../../../schemas/user.ts';
import { unescapeFormula } from '../../http/response/formulas.ts';
import { type Cell, type CsvRecord, nextRecord, parseCells } from './csvRecords.ts';
import { type LineReader, MAX_LINE } from './lines.ts';
import type { Entry, Source } from './source.ts';
import { Stop } from './stop.ts';

const DELIMITERS = [',', ';', '\t'];

/** What stands before the columns in a file of refused lines. */
const REFUSED_COLUMNS = ['line', 'message'];

const isField = (column: string): column is keyof typeof userInput.properties =>
  Object.hasOwn(userInput.properties, column);

const isKnown = (column: string): boolean => Object.hasOwn(user.properties, column) || REFUSED_COLUMNS.includes(column);

interface Head {
  columns: readonly string[];
  delimiter: string;
  /** Whoever quotes even the header quotes everything: then an empty cell has quotes, too, and no value. */
  isAllQuoted: boolean;
}

const columnsOf = (text: string, delimiter: string): string[] =>
  (parseCells(text, delimiter) ?? []).map((cell) => cell?.trim() ?? '');

const fieldsAmong = (columns: readonly string[]): number => columns.filter(isField).length;

/** The header row, cut by the delimiter that gives most fields. */
function toHead(text: string, name: string): Head {
  const [best = { columns: [], delimiter: ',' }] = DELIMITERS.map((delimiter) => ({
    columns: columnsOf(text, delimiter),
    delimiter,
  })).toSorted((a, b) => fieldsAmong(b.columns) - fieldsAmong(a.columns));
  const twice = best.columns.find((column, index) => isField(column) && best.columns.indexOf(column) < index);
  if (twice !== undefined) throw new Stop(`${name} has two columns ${twice}`);
  if (!best.columns.includes('name'))
    throw new Stop(`${name} has no column "name" in its first row, which names the columns`);
  return { ...best, isAllQuoted: text.trimStart().startsWith('"') };
}

/** JSON has numbers, CSV has their digits. What else stands there is left for the validator to refuse. */
const toNumber = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Undefined for "no value". An empty text is a value of its own where the service allows one, and stands in quotes. */
function readCell(column: keyof typeof userInput.properties, cell: Cell, { isAllQuoted }: Head): unknown {
  const rules = userInput.properties[column];
  if (cell === null) return undefined;
  if (cell === '') return 'format' in rules && rules.format === 'text' && !isAllQuoted ? '' : undefined;
  return column === 'age' ? toNumber(cell) : unescapeFormula(cell);
}

function toUser(cells: readonly Cell[], head: Head): Record<string, unknown> {
  const values = head.columns.map((column, index) => [
    column,
    isField(column) ? readCell(column, cells[index] ?? null, head) : undefined,
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function toEntry({ line, text, cells }: CsvRecord, head: Head): Entry {
  if (text.length > MAX_LINE) return { line, origin: [text], flaw: `The line is longer than ${MAX_LINE} characters` };
  if (!cells) return { line, origin: [text], flaw: 'The line is no CSV: a quote is missing, or one too many' };
  const expected = head.columns.length;
  if (cells.length === expected) return { line, origin: cells, user: toUser(cells, head) };
  return { line, origin: cells, flaw: `The line has ${cells.length} cells, and the first row ${expected}` };
}

/** Spreadsheets leave rows of nothing but separators behind. */
const isEmpty = ({ cells }: CsvRecord): boolean => cells?.every((cell) => cell === null) ?? false;

async function* entriesOf(reader: LineReader, head: Head): AsyncGenerator<Entry> {
  const read = (text: string) => parseCells(text, head.delimiter);
  const fits = (cells: readonly Cell[]) => cells.length === head.columns.length;
  for (;;) {
    const record = await nextRecord(reader, read, fits);
    if (record === undefined) return;
    if (!isEmpty(record)) yield toEntry(record, head);
  }
}

/**
 * Users in CSV as the service gives them: columns in any order, separated by commas, semicolons or tabs.
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
  const head = toHead(first?.text ?? '', name);
  for (const column of new Set(head.columns)) if (!isKnown(column) && column !== '') onUnknown(column);
  const { delimiter } = head;
  const row = (cells: readonly unknown[]) =>
    stringify([cells], { delimiter, record_delimiter: 'windows', quoted_match: /[\r\n]/ });
  return {
    entries: entriesOf(reader, head),
    refusedHead: row([...REFUSED_COLUMNS, ...head.columns]),
    refusedLine: ({ line, origin }, message) => row([line, message, ...origin]),
  };
}
