/** The kinds of attributes in CSV with `--typed`: a column has values of one kind, whatever a single cell looks like. */
import { exactNumber } from '../../lib/ground/index.ts';
import { parsed } from './attributes.ts';

type Kind = 'numbers' | 'booleans' | 'lists' | 'texts';

/** As JSON writes numbers, without exponents. A text that begins with zeros or a plus is a code, or a number to be called. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const LITERALS = new Map([
  ['true', true],
  ['false', false],
]);

/** How a text is read as each kind. Undefined if it is none of that, such as a number that would be rounded. */
const READ: Record<Exclude<Kind, 'texts'>, (text: string) => unknown> = {
  numbers: (text) => {
    const number = NUMBER.test(text) ? exactNumber(text) : Number.NaN;
    return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
  },
  // Spreadsheets write them in capitals.
  booleans: (text) => LITERALS.get(text.toLowerCase()),
  lists: (text) => parsed(text, Array.isArray),
};

const kindOf = (text: string): Kind =>
  (['numbers', 'booleans', 'lists'] as const).find((kind) => READ[kind](text) !== undefined) ?? 'texts';

export type Kinds = ReturnType<typeof createKinds>;

/** The kinds of the columns of a file, which are looked at first, and then settled. */
export function createKinds() {
  const seen = new Map<string, Set<Kind>>();
  let isSettled = false;

  function kindIn(column: string): Kind {
    const [kind = 'texts', another] = seen.get(column) ?? [];
    return another ? 'texts' : kind;
  }

  return {
    /** The value of a cell. Before all is settled it is only looked at. Undefined if it is not of the kind of its column. */
    read(column: string, text: string): unknown {
      if (!isSettled) seen.set(column, (seen.get(column) ?? new Set()).add(kindOf(text)));
      const kind = isSettled ? kindIn(column) : 'texts';
      return kind === 'texts' ? text : READ[kind](text);
    },
    /** Why a cell is not of the kind of its column. */
    flawOf: (column: string): string =>
      `${column} is not one of the ${kindIn(column)} of the first rows: import a file, which is read to its end first, or leave --typed out`,
    settle(say: (sentence: string) => void): void {
      isSettled = true;
      const mixed = [...seen].flatMap(([column, kinds]) =>
        kinds.size > 1 ? [`${JSON.stringify(column)} (${[...kinds].toSorted().join(', ')})`] : [],
      );
      if (mixed.length > 0) say(`Columns with more than one kind are texts: ${mixed.join(', ')}`);
    },
  };
}
