/** The kinds of attributes in CSV with `--typed`: a column has values of one kind, whatever a single cell looks like. */
import { exactNumber } from '../../lib/ground/index.ts';
import { attributeIn } from '../../lib/users/user.ts';
import { counted, Stop } from '../program/stop.ts';
import { parsed } from './attributes.ts';

const KINDS = ['numbers', 'booleans', 'lists'] as const;

type Kind = (typeof KINDS)[number] | 'texts';

/**
 * As JSON writes numbers, and small ones as programs do: `1.5e-05`. A text that begins with zeros or a plus is a code, or a number to be called.
 * With `E+` a spreadsheet has rounded it.
 */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-\d+)?$/i;

const LITERALS = new Map([
  ['true', true],
  ['false', false],
]);

/** How a text is read as each kind. Undefined if it is none of that, such as a number that would be rounded. */
const READ: Record<(typeof KINDS)[number], (text: string) => unknown> = {
  numbers: (text) => {
    const number = NUMBER.test(text) ? exactNumber(text) : Number.NaN;
    return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
  },
  // Spreadsheets write them in capitals.
  booleans: (text) => LITERALS.get(text.toLowerCase()),
  lists: (text) => parsed(text, Array.isArray),
};

const kindOf = (text: string): Kind => KINDS.find((kind) => READ[kind](text) !== undefined) ?? 'texts';

/** In UTF-16 units. */
const MAX_SHOWN = 40;

/** As many cells of a kind are named. */
const EXAMPLES = 3;

const shown = (text: string): string => JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** The cells of a kind in a column: how many there are, and the first of them. */
interface Cells {
  count: number;
  examples: string[];
}

type Column = Map<Kind, Cells>;

/** The kind of most cells is only counted. The others are named. */
function namesOf(column: Column): string {
  const [[most = 'texts', { count = 0 } = {}] = [], ...others] = [...column].toSorted(
    ([, a], [, b]) => b.count - a.count,
  );
  const named = others.map(([kind, cells]) => {
    const more = cells.count > EXAMPLES ? ', …' : '';
    return `${counted(cells.count, kind.slice(0, -1))} (${cells.examples.join(', ')}${more})`;
  });
  return [counted(count, most.slice(0, -1)), ...named].join(', ');
}

/** The kind of a stored value. A text may be a number that was imported without `--typed`. */
function kindOfValue(value: unknown, wanted: Kind): Kind {
  if (typeof value === 'string') return kindOf(value) === wanted ? wanted : 'texts';
  return typeof value === 'number' ? 'numbers' : typeof value === 'boolean' ? 'booleans' : 'lists';
}

/** A user of the service. */
export interface Stored {
  externalId: string;
  attributes: ReadonlyMap<string, unknown>;
  /** Whether the file has a line for the user. */
  isInFile: boolean;
}

export type Kinds = ReturnType<typeof createKinds>;

/**
 * The kinds of the columns of a file, which are looked at first, and then settled.
 *
 * @param texts the attributes that are texts, whatever their cells look like
 */
export function createKinds(texts: readonly string[] = []) {
  const seen = new Map<string, Column>();
  let isSettled = false;

  function see(column: string, text: string, line: number): void {
    const kinds: Column = seen.get(column) ?? new Map();
    const kind = kindOf(text);
    const cells = kinds.get(kind) ?? { count: 0, examples: [] };
    cells.count++;
    if (cells.examples.length < EXAMPLES) cells.examples.push(`line ${line}: ${shown(text)}`);
    seen.set(column, kinds.set(kind, cells));
  }

  const kindIn = (column: string): Kind => [...(seen.get(column)?.keys() ?? [])][0] ?? 'texts';

  return {
    /** The value of a cell. Before all is settled it is only looked at. Undefined if it is not of the kind of its column. */
    read(column: string, text: string, line: number): unknown {
      if (texts.includes(column)) return text;
      if (!isSettled) see(column, text, line);
      const kind = isSettled ? kindIn(column) : 'texts';
      return kind === 'texts' ? text : READ[kind](text);
    },
    /** Why a cell is not of the kind of its column. */
    flawOf: (column: string): string =>
      `${column} is not one of the ${kindIn(column)} of the first rows: correct it, or say --text ${JSON.stringify(column)}`,
    /** @throws {Stop} when a column has several kinds: one cell must not make texts of everybody's numbers */
    settle(): void {
      isSettled = true;
      const mixed = [...seen].filter(([, kinds]) => kinds.size > 1);
      if (mixed.length === 0) return;
      const [[name]] = mixed as [[string, Column]];
      throw new Stop(
        [
          'Nothing is sent: with --typed, a column has values of one kind',
          ...mixed.map(([column, kinds]) => `${JSON.stringify(column)} has ${namesOf(kinds)}`),
          `Correct these cells, say --null <text> if one is no value, or --text ${JSON.stringify(name)} if all of the column are texts`,
        ].join('\n'),
      );
    },
    /**
     * Compares with what is stored. Nobody's number becomes a text, and no column gets a second kind.
     *
     * @throws {Stop} with the first user of another kind
     */
    compare(users: Iterable<Stored>): void {
      const columns = [...seen.keys()].map((column) => ({
        column,
        name: attributeIn(column) ?? '',
        wanted: kindIn(column),
      }));
      for (const { externalId, attributes, isInFile } of users)
        for (const { column, name, wanted } of columns) {
          const value = attributes.get(name);
          // The line of the file takes the place of a text.
          if (value === undefined || (isInFile && typeof value === 'string') || kindOfValue(value, wanted) === wanted)
            continue;
          const [example] = seen.get(column)?.get(wanted)?.examples ?? [];
          throw new Stop(
            [
              `Nothing is sent: ${JSON.stringify(column)} has ${wanted} in the file (${example}), and ${kindOfValue(value, wanted)} in the service (externalId ${shown(externalId)}: ${shown(JSON.stringify(value))})`,
              `Correct one of them, say --null <text> if the text is no value, or --text ${JSON.stringify(column)} if they are to be texts`,
            ].join('\n'),
          );
        }
    },
  };
}
