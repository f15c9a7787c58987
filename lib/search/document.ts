/** The document of a row. */
import {
  fieldsOf,
  folded,
  type Kind,
  type Kinds,
  kindOf,
  type Mixed,
  plain,
  type Row,
  type Value,
  valueOfColumn,
} from '../columns/index.ts';
import { at, boundKey, END, GRAM, lettersOf, memberOf, type Prefix, type Shape, sortKey, WORDS } from './fields.ts';

type Document = Record<string, unknown>;

/** The parts of texts that have few letters. */
function gramsOf(texts: readonly string[]): string[] {
  const grams = new Set<string>();
  for (const text of texts) {
    const letters = lettersOf(text + END);
    for (let size = 1; size <= GRAM; size++)
      for (let i = 0; i + size <= letters.length; i++) grams.add(letters.slice(i, i + size).join(''));
  }
  return [...grams];
}

/** The texts in which substrings are looked for. */
const searched = (texts: readonly string[]): [Prefix, unknown][] => [
  ['w', texts],
  ['g', gramsOf(texts)],
];

/** The fields of a value of a column of its own. */
function ofField(kind: Kind, value: Value): [Prefix, unknown][] {
  if (typeof value === 'number') return [['n', value]];
  const own: [Prefix, unknown][] = [['s', sortKey(kind, value)], ...searched([folded(kind, value)])];
  return kind === 'exact' ? own : [...own, ['x', value]];
}

function ofMember({ isDate }: Shape, value: Mixed): [Prefix, unknown][] {
  const values = (Array.isArray(value) ? value : [value]) as (string | number | boolean)[];
  const own: [Prefix, unknown][] = [
    ['s', sortKey('mixed', memberOf(value))],
    ['v', values.map(memberOf)],
  ];
  if (typeof value === 'number') return [...own, ['n', value]];
  if (typeof value === 'boolean') return own;
  const texts = values.map(String);
  const dates = texts.filter(isDate).map(boundKey);
  return [
    ...own,
    ['b', texts.map(boundKey)],
    ...searched(texts.map(boundKey)),
    ...(dates.length > 0 ? [['t', dates] as [Prefix, unknown]] : []),
  ];
}

/** Under which names the dates of a member count, by period. */
function periodsOf({ periods }: Shape, value: Mixed): [ending: string, names: string[]][] {
  const texts = [value].flat().filter((each) => typeof each === 'string');
  return Object.entries(periods).flatMap(([ending, nameOf]) => {
    const names = [...new Set(texts.flatMap((text) => nameOf(text) ?? []))];
    return names.length > 0 ? [[ending, names] as [string, string[]]] : [];
  });
}

/** The names of columns that hold a value each: those of fields, and those that are derived. */
const columnsOf = (kinds: Kinds): string[] => Object.keys(kinds).filter((name) => kinds[name] !== 'members');

export function documentOf(shape: Shape, row: Row): Document {
  const { kinds, per, words } = shape;
  const document: Document = { id: row.id, per: Math.floor(row.id / per), row: shape.write(row) };
  const put = (column: string, fields: readonly [Prefix, unknown][]): void => {
    for (const [prefix, value] of fields) document[at(prefix, column)] = value;
  };
  for (const column of columnsOf(kinds)) {
    const value = valueOfColumn(kinds, row, column);
    if (value !== undefined) put(column, ofField(kindOf(kinds, column) ?? 'text', value));
  }
  for (const field of fieldsOf(kinds).filter((name) => kinds[name] === 'members')) {
    for (const [name, value] of Object.entries((row[field] ?? {}) as Record<string, Mixed>)) {
      const column = `${field}.${name}`;
      put(column, ofMember(shape, value));
      for (const [ending, names] of periodsOf(shape, value)) put(`${column}.${ending}`, [['c', names]]);
    }
  }
  const texts = words.flatMap((field) => (typeof row[field] === 'string' ? plain(row[field]) : []));
  if (texts.length > 0) put(WORDS, searched(texts));
  return document;
}
