import { userInput } from '../../schemas/user.ts';
import { Stop } from './stop.ts';

export type Field = keyof typeof userInput.properties;
export type Column = Field | 'id';

const FIELDS = Object.keys(userInput.properties) as Field[];
const COLUMNS: readonly Column[] = ['id', ...FIELDS];

const isColumn = (name: string): name is Column => COLUMNS.some((column) => column === name);

/** Names that differ only in case, spaces, `_` and `-` mean the same column. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const BY_NAME = new Map(COLUMNS.map((column) => [plain(column), column]));

/** What `--map` says. */
export type ColumnMap = readonly { from: string; to: Column }[];

export interface SourceOptions {
  /** The file in messages. */
  title: string;
  map: ColumnMap;
  keepsIds: boolean;
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
    .flatMap((option) => option.split(/(?<==\w{1,20}),/))
    .map((entry) => {
      const [, before = '', to = ''] = /^(.*)=(\w+)$/.exec(entry) ?? [];
      const from = before.trim();
      if (from === '')
        throw new Stop(`--map ${entry} must be "<column of the file>=<field>", several with commas between them`);
      if (!isColumn(to)) throw new Stop(`--map: there is no field ${to}, but ${COLUMNS.join(', ')}`);
      return { from, to };
    });

export const listed = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** What the columns of a file stand for. Undefined if one is not taken. */
export type Taken = readonly (Column | undefined)[];

/** The columns of `names` that an entry of `--map` means: with this very name, or else with one like it. */
export const meantBy = (from: string, names: readonly string[]): readonly string[] =>
  names.includes(from) ? [from] : names.filter((name) => plain(name) === plain(from));

/**
 * What names of columns, or members of an object, stand for. `--map` wins over a name.
 *
 * @throws {Stop} when two stand for the same
 */
export function takenOf(names: readonly string[], map: ColumnMap, title = ''): Taken {
  const mapped = new Map(map.flatMap(({ from, to }) => meantBy(from, names).map((name) => [name, to] as const)));
  const isMapped = new Set<Column | undefined>(mapped.values());
  const taken = names.map((name) => {
    const own = BY_NAME.get(plain(name));
    return mapped.get(name) ?? (isMapped.has(own) ? undefined : own);
  });
  for (const [index, column] of taken.entries()) {
    const first = names[taken.indexOf(column)] ?? '';
    const second = names[index] ?? '';
    if (column === undefined || taken.indexOf(column) === index) continue;
    const advice = first === second ? 'Rename one' : `Choose one: --map ${JSON.stringify(`${second}=${column}`)}`;
    throw new Stop(`${title} has two columns for ${column}: ${listed([first, second])}. ${advice}`);
  }
  return taken;
}

/** Whether a column is used: `createdAt` follows from the id. */
const isUsed = (column: Column | undefined, name: string, keepsIds: boolean): boolean =>
  column === 'id' ? keepsIds : column !== undefined || (keepsIds && plain(name) === 'createdat');

/**
 * Names the columns that are not used.
 *
 * @throws {Stop} when users have no names, nor first and last names to make them of
 */
export function checkColumns(given: readonly string[], taken: Taken, { title, keepsIds, say }: SourceOptions): void {
  const columns = given
    .map((name, index) => ({ name, column: taken[index] }))
    .filter(({ name }) => name !== '' && !REFUSED_COLUMNS.includes(name));
  if (!taken.includes('name') && !(taken.includes('firstName') && taken.includes('lastName'))) {
    const { name = 'displayName' } = columns.find(({ column }) => column === undefined) ?? {};
    const names = listed(columns.map((each) => each.name)) || 'none';
    throw new Stop(
      `${title} has no column for the name of a user, nor for a first and a last name. Its columns: ${names}.\n` +
        `If another one has it, say so: --map ${JSON.stringify(`${name}=name`)}`,
    );
  }
  const others = columns.filter(({ name, column }) => !isUsed(column, name, keepsIds));
  if (others.length > 0) say(`Columns that are not taken: ${listed(others.map(({ name }) => name))}`);
}

/** If a user has no name but a first and a last one, the name is made of these. */
export function withName(user: Record<string, unknown>): Record<string, unknown> {
  const { name, firstName, lastName } = user;
  if ((name ?? undefined) !== undefined) return user;
  const parts = [firstName, lastName].filter((part) => typeof part === 'string' && part.trim() !== '');
  return parts.length > 0 ? { ...user, name: parts.join(' ') } : user;
}
