import { Stop } from '../program/stop.ts';
import {
  type Column,
  type Field,
  fallbacksIn,
  isAttribute,
  listed,
  meantBy,
  plain,
  REFUSED_COLUMNS,
  type SourceOptions,
  type Taken,
} from './columns.ts';
import { couldBeNames, hasAddress, isBareName, likelyField } from './likely.ts';

/** A column of a file. */
export interface SeenColumn {
  name: string;
  /** Its meaning. Undefined if it is not taken. */
  column: Column | undefined;
  /** Those of the first rows, without empty ones. */
  cells: readonly string[];
  /** Whether most of its values are objects or lists, which no field can have. Then the cells are the addresses in them, or their text. */
  isNested: boolean;
}

export const hasNames = (taken: Taken): boolean =>
  taken.includes('name') || (taken.includes('firstName') && taken.includes('lastName'));

/** Whether a column is used: `createdAt` follows from the id. */
const isUsed = ({ column, name }: SeenColumn, keepsIds: boolean): boolean =>
  column === 'id' ? keepsIds : column !== undefined || (keepsIds && plain(name) === 'createdat');

/** Fields that have values. */
function filledBy(columns: readonly SeenColumn[]): Set<Column | undefined> {
  const filled = new Set(columns.filter(({ cells }) => cells.length > 0).map(({ column }) => column));
  return filled.has('firstName') || filled.has('lastName') ? filled.add('name') : filled;
}

/** The columns that are not taken and seem to be fields without values. One for each field: the first of them. */
function missedAmong(
  columns: readonly SeenColumn[],
  isWhole: boolean,
  { map, nameFrom = [] }: SourceOptions,
): Map<Field, string> {
  const filled = filledBy(columns);
  const missed = new Map<Field, string>();
  const names = columns.map(({ name }) => name);
  const meant = new Set([...map.map(({ from }) => from), ...nameFrom].flatMap((from) => meantBy(from, names)));
  for (const { name, column, cells, isNested } of columns) {
    // An attribute may have been meant for a field, unless the file calls it so.
    const isTaken = column !== undefined && (isAttribute(name) || !isAttribute(column));
    const isNone = isTaken || isNested || (isWhole && cells.length === 0) || meant.has(name);
    const field = isNone ? undefined : likelyField(name, cells);
    if (field && !filled.has(field) && !missed.has(field)) missed.set(field, name);
  }
  return missed;
}

const mapOf = (missed: Map<Field, string>): string =>
  `--map ${JSON.stringify([...missed].map(([field, name]) => `${name}=${field}`).join(','))}`;

const PARTS = { firstName: 'lastName', lastName: 'firstName' } as const;

/** Whether names have parts in them, as `Max Muster` has `Max`. */
function haveIn(names: readonly string[], parts: readonly string[]): boolean {
  const words = new Set(names.flatMap((name) => name.split(/[\s,]+/)));
  return parts.filter((part) => words.has(part.split(/\s/)[0] ?? '')).length > parts.length / 2;
}

/** The same, but `Name` beside `Vorname` is the other part, unless it has that part in it. */
function withParts(
  missed: Map<Field, string>,
  columns: readonly SeenColumn[],
  { map }: SourceOptions,
): Map<Field, string> {
  const names = columns.map(({ name }) => name);
  const said = new Set(map.flatMap(({ from }) => meantBy(from, names)));
  const whole = columns.find(({ name, column }) => column === 'name' || missed.get('name') === name);
  const parts = (['firstName', 'lastName'] as const).filter((field) => missed.has(field));
  const [part] = parts;
  if (!part || parts.length > 1 || !whole || said.has(whole.name) || !isBareName(whole.name)) return missed;
  const other = PARTS[part];
  const { cells = [] } = columns.find(({ name }) => name === missed.get(part)) ?? {};
  if (columns.some(({ column }) => column === other) || haveIn(whole.cells, cells)) return missed;
  const others = [...missed].filter(([field]) => field !== 'name');
  const found = new Map<Field, string>([[other, whole.name], ...others]);
  return new Map(names.flatMap((name) => [...found].filter(([, from]) => from === name)));
}

/** Asks for the column of the name. It advises one only if that is called so, or alone has what could be names. */
function adviceFor(missed: Map<Field, string>, taken: Taken, columns: readonly SeenColumn[]): string {
  if (hasNames([...taken, ...missed.keys()])) return `If another one has it, say so: ${mapOf(missed)}`;
  const found = new Set(missed.values());
  const could = columns.filter(
    ({ name, column, cells, isNested }) =>
      (!column || isAttribute(column)) && !isNested && !found.has(name) && couldBeNames(cells),
  );
  const [only] = could;
  if (only && could.length === 1) return `If another one has it, say so: ${mapOf(missed.set('name', only.name))}`;
  const which = could.length > 1 ? listed(could.map(({ name }) => name)) : 'one of them';
  return `If ${which} has it, say so: ${mapOf(missed.set('name', '…'))}, or first and last names: --map "…=firstName,…=lastName"`;
}

/** A column with addresses in objects or lists, if users would have none otherwise. No option can make a field of it. */
function checkNested(columns: readonly SeenColumn[], missed: Map<Field, string>, { title, map }: SourceOptions): void {
  const ignored = map.filter(({ to }) => !to).map(({ from }) => plain(from));
  const found = columns.find(
    ({ name, isNested, cells }) =>
      isNested && !ignored.includes(plain(name)) && cells.filter(hasAddress).length > cells.length / 2,
  );
  if (!found || missed.has('email') || filledBy(columns).has('email')) return;
  const name = JSON.stringify(found.name);
  throw new Stop(
    `${title} has addresses in objects or lists of ${name}, and users have no other e-mail. If it is NDJSON, this makes a member of the first ones:\n` +
      `jq -c '.email = [.[${name}] | .. | strings | select(contains("@"))][0]' users.ndjson > with-email.ndjson\n` +
      `If they are others: --ignore ${name}`,
  );
}

/**
 * Names the columns that are not used.
 *
 * @param isWhole whether there are no more rows than those that were looked at
 * @throws {Stop} when users have no names, nor first and last names to make them of, or when a column seems to be a field under another
 *   name
 */
export function checkColumns(seen: readonly SeenColumn[], isWhole: boolean, options: SourceOptions): void {
  const { title, keepsIds, say } = options;
  const nameless = seen.findIndex(({ name, cells }) => name === '' && likelyField(name, cells)) + 1;
  if (nameless > 0) throw new Stop(`Column ${nameless} of ${title} has addresses, and no name in the first row`);
  const columns = seen.filter(({ name }) => name !== '' && !REFUSED_COLUMNS.includes(name));
  const taken = columns.map(({ column }) => column);
  // Of a file without values, names of columns are all that is known.
  const fallbacks = fallbacksIn(
    columns.map(({ name }) => name),
    options,
  );
  const areNamed = hasNames(taken) || fallbacks.length > 0;
  const hasValues = areNamed || columns.some(({ cells }) => cells.length > 0);
  const missed = withParts(missedAmong(columns, isWhole && hasValues, options), columns, options);
  if (!areNamed) {
    const names = listed(columns.map((each) => each.name)) || 'none';
    throw new Stop(
      `${title} has no column for the name of a user, nor for a first and a last name. Its columns: ${names}.\n` +
        adviceFor(missed, taken, columns),
    );
  }
  const ignoring = [...missed.values()].map((name) => {
    const { column } = columns.find((each) => each.name === name) ?? {};
    return column ? `--map ${JSON.stringify(`${name}=${column}`)}` : `--ignore ${JSON.stringify(name)}`;
  });
  if (missed.size > 0)
    throw new Stop(
      `${title} has columns that are ignored, but seem to be fields. If they are, say so: ${mapOf(missed)}\n` +
        `If not: ${ignoring.join(' ')}`,
    );
  checkNested(columns, missed, options);
  const attributes = columns.flatMap(({ name, column }) =>
    column && isAttribute(column) && column !== name ? [`${name}=${column}`] : [],
  );
  if (attributes.length > 0) say(`Columns that are attributes: ${listed(attributes)}`);
  const others = columns.filter((column) => !isUsed(column, keepsIds) && !fallbacks.includes(column.name));
  if (others.length > 0) say(`Ignored columns: ${listed(others.map(({ name }) => name))}`);
}
