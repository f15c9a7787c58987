import { userInput } from '../../schemas/user.ts';
import { Stop } from './stop.ts';

export type Field = keyof typeof userInput.properties;
/** `createdAt` is the column of `--created`. */
export type Column = Field | 'id' | 'createdAt';

export const FIELDS = Object.keys(userInput.properties) as Field[];
const COLUMNS: readonly Column[] = ['id', ...FIELDS];

const isColumn = (name: string): name is Column => COLUMNS.some((column) => column === name);

/** Names that differ only in case, spaces, `_` and `-` mean the same column. */
export const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const BY_NAME = new Map(COLUMNS.map((column) => [plain(column), column]));

/** What `--map` and `--ignore` say. */
export type ColumnMap = readonly { from: string; to: Column | undefined }[];

export interface SourceOptions {
  /** The file in messages. */
  title: string;
  map: ColumnMap;
  keepsIds: boolean;
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
 * What names of columns, or members of an object, stand for. `--map` and `--ignore` win over a name.
 *
 * @throws {Stop} when two stand for the same
 */
export function takenOf(names: readonly string[], { map, keepsIds }: SourceOptions, title = ''): Taken {
  const mapped = new Map(map.flatMap(({ from, to }) => meantBy(from, names).map((name) => [name, to] as const)));
  const isMapped = new Set<Column | undefined>(mapped.values());
  const taken = names.map((name) => {
    const own = BY_NAME.get(plain(name));
    return mapped.has(name) ? mapped.get(name) : isMapped.has(own) ? undefined : own;
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

/** If a user has no name but a first and a last one, the name is made of these. */
export function withName(user: Record<string, unknown>): Record<string, unknown> {
  const { name, firstName, lastName } = user;
  if ((name ?? undefined) !== undefined) return user;
  const parts = [firstName, lastName].filter((part) => typeof part === 'string' && part.trim() !== '');
  return parts.length > 0 ? { ...user, name: parts.join(' ') } : user;
}
