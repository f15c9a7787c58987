import {
  type Column,
  type Field,
  isAttribute,
  listed,
  meantBy,
  plain,
  REFUSED_COLUMNS,
  type SourceOptions,
  type Taken,
} from './columns.ts';
import { likelyField } from './likely.ts';
import { Stop } from './stop.ts';

/** A column of a file. */
export interface SeenColumn {
  name: string;
  /** What it is taken for. */
  column: Column | undefined;
  /** Those of the first rows, without empty ones. */
  cells: readonly string[];
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
function missedAmong(columns: readonly SeenColumn[], isWhole: boolean, { map }: SourceOptions): Map<Field, string> {
  const filled = filledBy(columns);
  const missed = new Map<Field, string>();
  const names = columns.map(({ name }) => name);
  const meant = new Set(map.flatMap(({ from }) => meantBy(from, names)));
  for (const { name, column, cells } of columns) {
    // An attribute may have been meant for a field, unless the file calls it so.
    const isTaken = column !== undefined && (isAttribute(name) || !isAttribute(column));
    const isNone = isTaken || (isWhole && cells.length === 0) || meant.has(name);
    const field = isNone ? undefined : likelyField(name, cells);
    if (field && !filled.has(field) && !missed.has(field)) missed.set(field, name);
  }
  return missed;
}

/** Vorname, cognome, prénom, achternaam: which one is the first name is not known. */
const PART = /na+m|nom/i;

const mapOf = (missed: Map<Field, string>): string =>
  `--map ${JSON.stringify([...missed].map(([field, name]) => `${name}=${field}`).join(','))}`;

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
  const missed = missedAmong(columns, isWhole, options);
  const taken = columns.map(({ column }) => column);
  if (!hasNames(taken)) {
    const { name = 'displayName' } = columns.find(({ column }) => column === undefined) ?? {};
    const names = listed(columns.map((each) => each.name)) || 'none';
    const parts = columns.filter((each) => each.column === undefined && PART.test(each.name));
    let advice = 'If another one has it, say so: ';
    if (hasNames([...taken, ...missed.keys()])) advice += mapOf(missed);
    else if (parts.length < 2) advice += mapOf(missed.set('name', name));
    else advice = `If ${listed(parts.map((each) => each.name))} have it, say which: --map "…=firstName,…=lastName"`;
    throw new Stop(
      `${title} has no column for the name of a user, nor for a first and a last name. Its columns: ${names}.\n${advice}`,
    );
  }
  const ignoring = [...missed.values()].map((name) => {
    const { column } = columns.find((each) => each.name === name) ?? {};
    return column ? `--map ${JSON.stringify(`${name}=${column}`)}` : `--ignore ${JSON.stringify(name)}`;
  });
  if (missed.size > 0)
    throw new Stop(
      `${title} has columns that are not taken, but seem to be fields. If they are, say so: ${mapOf(missed)}\n` +
        `If not: ${ignoring.join(' ')}`,
    );
  const attributes = columns.flatMap(({ name, column }) =>
    column && isAttribute(column) && column !== name ? [`${name}=${column}`] : [],
  );
  if (attributes.length > 0) say(`Columns that are attributes: ${listed(attributes)}`);
  const others = columns.filter((column) => !isUsed(column, keepsIds));
  if (others.length > 0) say(`Columns that are not taken: ${listed(others.map(({ name }) => name))}`);
}
