import { attributeIn, PLAIN_FIELDS, type PlainField } from '../../lib/users/user.ts';
import { Stop } from '../program/stop.ts';
import { isObject } from './attributes.ts';
import type { Kinds } from './kinds.ts';

export type Field = PlainField;
/** One of the attributes. */
export type Attribute = `attributes.${string}`;
/** `createdAt` is the column of `--created`, and `attributes` has all of them as JSON. */
export type Column = Field | 'id' | 'createdAt' | 'attributes' | Attribute;

export const FIELDS = PLAIN_FIELDS;
const COLUMNS: readonly Column[] = ['id', ...FIELDS, 'attributes'];

export const isAttribute = (column: string): column is Attribute => attributeIn(column) !== undefined;

const isColumn = (name: string): name is Column => COLUMNS.some((column) => column === name) || isAttribute(name);

/** Names that differ only in case, spaces, `_` and `-` mean the same column. */
export const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const BY_NAME = new Map(COLUMNS.map((column) => [plain(column), column]));

/** The columns that `--map` and `--ignore` name. */
export type ColumnMap = readonly { from: string; to: Column | undefined }[];

export interface SourceOptions {
  /** The file in messages. */
  title: string;
  map: ColumnMap;
  keepsIds: boolean;
  /** The columns of which the first with a text is the name of a user who has none otherwise. */
  nameFrom?: readonly string[] | undefined;
  /** Whether a column that is nothing else is an attribute. */
  takesOthers?: boolean;
  /** Whether columns of attributes are numbers, booleans or arrays where all their cells look like it. */
  isTyped?: boolean;
  /** The attributes that are texts all the same. */
  texts?: readonly string[] | undefined;
  /** Of the columns of the whole file. Without it, the first rows say them. */
  kinds?: Kinds | undefined;
  /** The text of cells that have no value, beside empty ones. */
  nothing?: string | undefined;
  say: (sentence: string) => void;
}

/** A line of a file of refused lines begins with these. */
export const REFUSED_COLUMNS: readonly string[] = ['line', 'message'];

/**
 * Reads `--map "Email Address=email,displayName=name"`. A comma may be in a name: what follows the last `=` is a column of ours.
 *
 * @throws {Stop} when it has another form
 */
export const readMap = (given: readonly string[]): ColumnMap =>
  given
    .flatMap((option) => option.split(/(?<==[\w.-]{1,74}),/))
    .map((entry) => {
      const [, before = '', to = ''] = /^(.*)=([\w.-]+)$/.exec(entry) ?? [];
      const from = before.trim();
      if (from === '')
        throw new Stop(`--map ${entry} must be "<column of the file>=<field>", several with commas between them`);
      if (!isColumn(to)) throw new Stop(`--map: there is no field ${to}, but ${COLUMNS.join(', ')}, attributes.<name>`);
      return { from, to };
    });

export const listed = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** The meanings of the columns of a file. Undefined if one is not taken. */
export type Taken = readonly (Column | undefined)[];

/** The columns of `names` that an entry of `--map` means: with this very name, or else with one like it. */
export const meantBy = (from: string, names: readonly string[]): readonly string[] =>
  names.includes(from) ? [from] : names.filter((name) => plain(name) === plain(from));

/** @throws {Stop} when a file lacks columns that options name */
export function checkNamed(from: readonly string[], names: readonly string[], title: string): void {
  const missing = from.filter((name) => meantBy(name, names).length === 0);
  if (missing.length > 0) throw new Stop(`${title} has no column ${listed(missing)}. Its columns: ${listed(names)}`);
}

/**
 * The name of an attribute that a name is made to: without accents, and with `_` for what is no letter or digit of ASCII. Undefined when
 * nothing is left of it.
 */
export function nameFor(name: string): string | undefined {
  if (isAttribute(`attributes.${name}`)) return name;
  const ascii = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const made = ascii.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^[^A-Za-z]+|_+$/g, '');
  return isAttribute(`attributes.${made}`) ? made : undefined;
}

/** @throws {Stop} when a name gives none of an attribute */
function attributeFor(name: string): Attribute {
  const made = nameFor(name);
  if (made !== undefined) return `attributes.${made}`;
  const quoted = JSON.stringify(name);
  throw new Stop(
    `The column ${quoted} gives no name of an attribute: say --map ${JSON.stringify(`${name}=attributes.…`)}, or --ignore ${quoted}`,
  );
}

/** The meaning of a column by its own name. */
function ownOf(name: string, { takesOthers }: SourceOptions): Column | undefined {
  const own = BY_NAME.get(plain(name));
  if (own !== undefined || isAttribute(name)) return own ?? (name as Attribute);
  // The service sets both.
  const isOfService = plain(name) === 'createdat' || name === 'updatedAt';
  return takesOthers && name !== '' && !isOfService ? attributeFor(name) : undefined;
}

/**
 * The meanings of columns, or of members of an object, by their names. `--map` and `--ignore` win over a name.
 *
 * @throws {Stop} when two stand for the same
 */
export function takenOf(names: readonly string[], options: SourceOptions, title = ''): Taken {
  const { map, keepsIds } = options;
  const isRefused = REFUSED_COLUMNS.every((column, index) => names[index] === column);
  const mapped = new Map(map.flatMap(({ from, to }) => meantBy(from, names).map((name) => [name, to] as const)));
  const isMapped = new Set<Column | undefined>(mapped.values());
  const taken = names.map((name, index) => {
    if (mapped.has(name)) return mapped.get(name);
    if (isRefused && index < REFUSED_COLUMNS.length) return undefined;
    const own = ownOf(name, options);
    return isMapped.has(own) ? undefined : own;
  });
  for (const [index, column] of taken.entries()) {
    const first = names[taken.indexOf(column)] ?? '';
    const second = names[index] ?? '';
    if (column === undefined || taken.indexOf(column) === index || (column === 'id' && !keepsIds)) continue;
    const isOwn = first === second || column === 'createdAt';
    const advice = isOwn ? 'Rename one' : `Choose one: --map ${JSON.stringify(`${second}=${column}`)}`;
    throw new Stop(`${title} has two columns for ${column}: ${listed([first, second])}. ${advice}`);
  }
  return taken;
}

/** The names of a member or column of `--name-from` in a file, in the order of that option. */
export const fallbacksIn = (names: readonly string[], { nameFrom = [] }: SourceOptions): readonly string[] =>
  nameFrom.flatMap((from) => meantBy(from, names));

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** If a user has no name but a first and a last one, the name is made of these, else it is the first text of the fallbacks. */
function withName(user: Record<string, unknown>, fallbacks: readonly unknown[]): Record<string, unknown> {
  const { name, firstName, lastName } = user;
  const found = fallbacks.find(isText);
  if ((name ?? undefined) !== undefined && !(found && String(name).trim() === '')) return user;
  const parts = [firstName, lastName].filter(isText);
  const made = parts.length > 0 ? parts.join(' ') : found;
  return made === undefined ? user : { ...user, name: made };
}

/**
 * The user whose columns have these values. An attribute's own column wins over that of all attributes.
 *
 * @param fallbacks the values of `--name-from`
 */
export function userOf(
  values: readonly (readonly [Column, unknown])[],
  fallbacks: readonly unknown[] = [],
): Record<string, unknown> {
  const members = values.filter(([column]) => isAttribute(column));
  const user = withName(Object.fromEntries(values.filter(([column]) => !isAttribute(column))), fallbacks);
  const attributes = user.attributes ?? {};
  if (!isObject(attributes) || !(members.length > 0 || 'attributes' in user)) return user;
  const own = members.map(([column, value]) => [attributeIn(column), value ?? null]);
  return { ...user, attributes: { ...attributes, ...Object.fromEntries(own) } };
}
