/**
 * The fields of a document, by a prefix and the column of lists. The engine folds nothing: it compares the texts that it is given.
 *
 *   s  by which a value is sorted; it is that of one value alone, so it finds values, too
 *   x  the text itself, where it is folded in `s`: by it rows are counted
 *   n  a number, or the numbers among the values of a member
 *   v  each value of a member, encoded; an array has several
 *   b  the folded texts of a member, which are compared with a bound; `t` those that have a date
 *   w  the folded texts, in which substrings are looked for; `g` their parts of one and two letters
 *   c  by period, the names under which the dates of a member count
 *
 * The mapping follows from the prefixes: a column that nobody has yet needs none.
 */
import {
  encoded,
  foldCase,
  folded,
  type Kind,
  type Kinds,
  type Mixed,
  type Row,
  type Value,
} from '../columns/index.ts';

/** All that an index is told of its rows. */
export interface Shape {
  kinds: Kinds;
  /** Rows are sorted by their ids per this number, too. */
  per: number;
  /** A day in ids, and in each other column of moments. */
  days: Readonly<Record<string, number>>;
  /** The fields in which words are looked for. */
  words: readonly string[];
  /** By the ending of what is counted, the name of the period of a text that has a date. */
  periods: Readonly<Record<string, (text: string) => string | undefined>>;
  /** Whether a text has a date. */
  isDate(text: string): boolean;
  /** A row as one text, and back. */
  write(row: Row): string;
  read(id: number, text: string): Row;
}

export type Prefix = 's' | 'x' | 'n' | 'v' | 'b' | 't' | 'w' | 'g' | 'c';

/** A dot would make an object of a column that has columns of its own. */
export const at = (prefix: Prefix, column: string): string => `${prefix}.${column.replaceAll('.', ':')}`;

/** The column of all words. No field is named so. */
export const WORDS = '+';

/** Sorts behind all numbers of rows. */
export const NO_NUMBER = 2 ** 53;

/** The key by which a value is sorted, and which it shares with those that equal it. */
export function sortKey(kind: Kind, value: Value): string | number {
  if (kind === 'number') return value;
  const text = folded(kind, value);
  return kind === 'exact' || kind === 'mixed' ? `${text}\0${value}` : text;
}

export const memberOf = (value: Mixed): string => encoded(value);

/** How a text of a member is compared with a bound. */
export const boundKey = (text: string): string => foldCase(text);

/** Behind each text: no text has it. */
export const END = '\u0001';

/** Parts of at most this number of letters are terms: few look for less, and no text has to be looked at. */
export const GRAM = 2;

export const lettersOf = (text: string): string[] => [...text];

const PREFIXES: Readonly<Record<Prefix, object>> = {
  s: { type: 'keyword' },
  x: { type: 'keyword' },
  n: { type: 'double' },
  v: { type: 'keyword' },
  b: { type: 'keyword' },
  t: { type: 'keyword' },
  // Without values by document the engine parses each document that it looks at.
  w: { type: 'wildcard', doc_values: true },
  g: { type: 'keyword', doc_values: false },
  c: { type: 'keyword' },
};

/** How far into a list from/size reaches. */
export const WINDOW = 100_000;

/** The longest that a request for an earlier document may be late, and what it may be read in besides. */
const GC_DELETES = '1h';

/** A stage has 500 names of attributes, and each up to a dozen fields. */
const MOST_FIELDS = 8_000;

/** The index, without its number of shards. */
export const INDEX = {
  settings: {
    refresh_interval: '-1',
    // With the rows that have changed since.
    max_result_window: 2 * WINDOW,
    'index.gc_deletes': GC_DELETES,
    'index.mapping.total_fields.limit': MOST_FIELDS,
    'index.max_terms_count': 200_000,
  },
  mappings: {
    dynamic: false,
    // The row alone is given back.
    _source: { includes: ['row'] },
    dynamic_templates: Object.entries(PREFIXES).map(([prefix, mapping]) => ({
      [prefix]: { path_match: `${prefix}.*`, mapping },
    })),
    properties: {
      id: { type: 'long' },
      per: { type: 'long' },
      row: { type: 'keyword', index: false, doc_values: false },
      ...Object.fromEntries(Object.keys(PREFIXES).map((prefix) => [prefix, { type: 'object', dynamic: true }])),
    },
  },
};
