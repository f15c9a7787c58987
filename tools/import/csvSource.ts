import { stringify } from 'csv-stringify/sync';
import { exactNumber } from '../../lib/ground/index.ts';
import { unescapeFormula } from '../../lib/http/response/forms.ts';
import { isNumber } from '../../lib/users/user.ts';
import { userInput } from '../../schemas/user.ts';
import { counted, Stop } from '../program/stop.ts';
import { readAttributes } from './attributes.ts';
import { begin } from './beginning.ts';
import { checkColumns } from './checkColumns.ts';
import {
  type Attribute,
  type Column,
  type Field,
  fallbacksIn,
  isAttribute,
  listed,
  REFUSED_COLUMNS,
  type SourceOptions,
  userOf,
} from './columns.ts';
import { type CsvHeader, readHeader } from './csvHeader.ts';
import { isOurs } from './foreign.ts';
import { createKinds } from './kinds.ts';
import { areNested } from './likely.ts';
import type { Lines } from './lines.ts';
import { type Cell, type CsvRecord, recordsOf } from './records.ts';
import type { Source, SourceEntry } from './source.ts';

/** Texts that databases write for "no value". */
const NULLS = ['NULL', 'null', '\\N'];

/** The count of rows that programs write behind the last one, in one cell or more: `Total: 7`, `(7 rows)`. */
const COUNT =
  /^(?:(?:grand )?total(?: (?:row|record|user)s)? ?[:=]?[\d ,.]+|\(?\d+ (?:row|record|user)(?:s|\(s\))?\)?)$/i;

/** A number of more than 15 digits, of which a spreadsheet keeps 15, and as it may write that. */
const EXACT = /^\d{15,}[1-9]$/;
const ROUNDED = /^\d{15,}0$/;
const EXPONENT = /^\d([.,]\d+)?E\+?\d+$/i;

/** Users with ids that may be rounded who wait for one with an exact id. With more, the import ends: this many ids do not end in 0 by chance. */
const MOST_HELD = 100;

/** CSV has numbers as text. Text that is not a number stays text, and the validator refuses it. */
const toNumber = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? exactNumber(text) : text);

/** Undefined for "no value". A quoted empty cell is an empty text, if the field allows that. */
function readCell(field: Field, cell: Cell, isAllQuoted: boolean): unknown {
  const rules = userInput.properties[field];
  if (cell === null) return undefined;
  if (cell === '') return 'format' in rules && rules.format === 'text' && !isAllQuoted ? '' : undefined;
  return isNumber(field) ? toNumber(cell) : unescapeFormula(cell);
}

type TakenCell = readonly [Column, Cell];

/** Reads an attribute of a line as its kind. */
type Read = (column: string, text: string) => unknown;

/** The value of one attribute. null is none. */
function attributeIn(column: Attribute, cell: Cell, read: Read | undefined): unknown {
  if (cell === null || cell === '') return null;
  const text = unescapeFormula(cell);
  return read ? read(column, text) : text;
}

function valueIn([column, cell]: TakenCell, isAllQuoted: boolean, read: Read | undefined): unknown {
  if (column === 'id' || column === 'createdAt') return undefined;
  if (column === 'attributes') return readAttributes(cell);
  return isAttribute(column) ? attributeIn(column, cell, read) : readCell(column, cell, isAllQuoted);
}

/** Why cells are no user. */
function flawOf(
  cells: readonly Cell[] | undefined,
  { columns, refusedCells }: CsvHeader,
): Pick<SourceEntry, 'flaw' | 'isNobody'> {
  if (!cells) return { flaw: 'The line is not CSV: a quote is missing, or there is one too many' };
  const texts = cells.map((cell) => (cell ?? '').trim());
  if (COUNT.test(texts.slice(refusedCells).join(' ').trim()))
    return { flaw: 'The line is a total, and not a user', isNobody: true };
  if (cells.length !== columns.length)
    return { flaw: `The line has ${counted(cells.length, 'cell')}, and the first row ${columns.length}` };
  const isFirst = texts.every((text, index) => text === columns[index]);
  return isFirst ? { flaw: 'The line repeats the first row', isNobody: true } : {};
}

function flawOfNulls(cells: readonly TakenCell[]): string | undefined {
  const [name, no] = cells.find(([, cell]) => NULLS.includes(cell ?? '')) ?? [];
  return no ? `${name} is ${no}: say --null ${no} if that is no value, or --null "" if it is a text` : undefined;
}

function toEntry(record: CsvRecord, header: CsvHeader, options: SourceOptions): SourceEntry {
  const { nothing, kinds } = options;
  const { line, text, cells } = record;
  const { columns, taken, refusedCells, isAllQuoted } = header;
  const entry = { line, origin: cells?.slice(refusedCells) ?? [text], ...flawOf(cells, header) };
  if (entry.flaw !== undefined) return entry;
  const found = taken.flatMap((column, index): TakenCell[] => {
    const cell = cells?.[index] ?? null;
    return column === undefined || (nothing && cell === nothing) ? [] : [[column, cell]];
  });
  const unsaid = nothing === undefined ? flawOfNulls(found) : undefined;
  const cellOf = (name: Column) => found.find(([column]) => column === name)?.[1] ?? undefined;
  const id = cellOf('id');
  const read = unsaid || !kinds ? undefined : (column: string, text: string) => kinds.read(column, text, line);
  const values = found.map((taken) => [taken[0], valueIn(taken, isAllQuoted, read)] as const);
  const fallbacks = fallbacksIn(columns, options).map((name) => {
    const cell = cells?.[columns.indexOf(name)] ?? '';
    return cell === nothing || (nothing === undefined && NULLS.includes(cell)) ? '' : unescapeFormula(cell);
  });
  const [misfit] = values.find(([column, value]) => isAttribute(column) && value === undefined) ?? [];
  const flaw = unsaid ?? (misfit && kinds?.flawOf(misfit));
  const createdAt = cellOf('createdAt');
  const [ownId, at] = [cells?.[columns.indexOf('id')], cells?.[columns.indexOf('createdAt')]];
  return {
    ...entry,
    ...(isOurs(Number(ownId ?? Number.NaN), at) && { isOurs: true }),
    ...(flaw && { flaw }),
    user: userOf(values, fallbacks),
    createdAt,
    ...(id !== undefined && { id: /^\d+$/.test(id) ? Number(id) : id }),
  };
}

/** Spreadsheets leave rows that have only separators, blanks or quotes. */
const isEmpty = ({ cells }: CsvRecord): boolean => cells?.every((cell) => (cell ?? '').trim() === '') ?? false;

/**
 * Users with their ids. Those whose ids may be rounded wait for one that is not: in an export, ids of 15 digits are the first.
 *
 * @throws {Stop} when users would get ids that are not theirs
 */
async function* withIds(entries: AsyncGenerator<SourceEntry>, title: string): AsyncGenerator<SourceEntry> {
  const held: SourceEntry[] = [];
  let hasExact = false;
  for await (const entry of entries) {
    const id = String(entry.id);
    hasExact ||= EXACT.test(id);
    if (EXPONENT.test(id) || (ROUNDED.test(id) && !hasExact)) held.push(entry);
    else yield entry;
    if (held.length > MOST_HELD || EXPONENT.test(id)) break;
    if (hasExact) yield* held.splice(0);
  }
  if (held.length > 0)
    throw new Stop(
      `A spreadsheet has rounded the ids of ${title}: it keeps 15 digits of a number. Export again, and open the column id as text. ` +
        'Ids that all end in 0 and are right can be imported as NDJSON',
    );
}

/**
 * Users in CSV: columns in any order, separated by commas, semicolons, tabs or vertical bars.
 *
 * @throws {Stop} when the first row does not name the columns, or the first rows do not fit it
 */
export async function csvSource(lines: Lines, given: SourceOptions, hasMark = false): Promise<Source> {
  const kinds = given.isTyped ? (given.kinds ?? createKinds(given.texts)) : undefined;
  const options = { ...given, kinds };
  const header = await readHeader(lines, options);
  const { columns, taken, delimiter, refusedCells, isAllQuoted, isSpaced } = header;
  const unknown = (options.texts ?? []).filter((name) => !taken.some((column) => column === name));
  if (unknown.length > 0) throw new Stop(`${options.title} has no column for ${listed(unknown)}, which --text names`);
  lines.take(header.count);
  const { first, isWhole, all } = await begin(recordsOf(lines, { delimiter, trim: isSpaced }));
  const seen = columns.map((name, index) => ({
    name,
    column: taken[index],
    cells: first.flatMap(({ cells }) => cells?.[index]?.trim() || []),
  }));
  checkColumns(
    seen.map((column) => ({ ...column, isNested: areNested(column.cells) })),
    isWhole,
    options,
  );
  // Without the kinds of the whole file, those of its first rows count.
  if (kinds && !given.kinds) {
    for (const record of first) toEntry(record, header, options);
    kinds.settle();
  }
  async function* entries(): AsyncGenerator<SourceEntry> {
    for await (const record of all) if (!isEmpty(record)) yield toEntry(record, header, options);
  }
  // A quoted empty cell is an empty text. In a file that quotes every cell it has no value, and the head of this file is not quoted.
  const row = (cells: readonly unknown[]) =>
    stringify([cells.map((cell) => (cell === '' && isAllQuoted ? null : cell))], {
      delimiter,
      record_delimiter: 'windows',
      quoted_match: /^$|^\s|\s$|[\r\n]/,
    });
  return {
    entries: options.keepsIds ? withIds(entries(), options.title) : entries(),
    refusedHead: (hasMark ? '\uFEFF' : '') + row([...REFUSED_COLUMNS, ...columns.slice(refusedCells)]),
    refusedLine: ({ line, origin }, message) => row([line, message, ...origin]),
  };
}
