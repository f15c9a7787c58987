import { FIELDS, type FieldRules } from '../../lib/users/fields.ts';
import { filters } from '../../schemas/filters.ts';
import { user } from '../../schemas/user.ts';

/** What a filter takes. Those that are used most are entered first. */
const KINDS = ['values', 'number', 'date', 'text', 'missing'] as const;

/** A filter of the API: how it is called there and here, and how it is entered. */
export interface Filter {
  parameter: string;
  label: string;
  kind: (typeof KINDS)[number];
}

/** The properties of a user, in the order of columns. A list can be sorted by each. */
export const PROPERTIES: readonly string[] = [...Object.keys(user.properties).filter((name) => name !== 'id'), 'id'];

/** `createdAt` is called "Created at". */
export const labelOf = (property: string): string => {
  const words = property.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return property === 'id' ? 'ID' : words.charAt(0).toUpperCase() + words.slice(1);
};

const RULES = new Map<string, FieldRules>(Object.entries(FIELDS));
const SEARCHED = [...RULES].find(([, { search }]) => search)?.[0] ?? '';

const WORDS: Readonly<Record<string, string>> = {
  startsWith: 'begins with',
  missing: 'is missing',
  gte: 'from',
  lte: 'to',
  gt: 'after',
  lt: 'before',
};

function kindOf(field: string, rule: string): Filter['kind'] {
  if (rule === 'missing') return 'missing';
  if (field === 'createdAt') return 'date';
  if (field === 'id') return 'values';
  const kind = RULES.get(field)?.kind ?? 'text';
  if (kind === 'address') return 'text';
  return kind === 'exact' ? 'values' : kind;
}

function filterOf(parameter: string): Filter {
  if (parameter === 'keyword') return { parameter, label: `${labelOf(SEARCHED)} contains`, kind: 'text' };
  const [field = '', rule = ''] = parameter.split('.');
  const kind = kindOf(field, rule);
  return { parameter, label: `${labelOf(field)} ${WORDS[rule] ?? 'is'}${kind === 'date' ? ' (UTC)' : ''}`, kind };
}

/** All filters of the API. */
export const FILTERS: readonly Filter[] = Object.keys(filters.properties).map(filterOf);

export const MISSING_FILTERS = FILTERS.filter(({ kind }) => kind === 'missing');

/** Of those that say nearly the same, one can be entered. The others can be typed in the address, and taken away here. */
const isTyped = ({ parameter, kind }: Filter): boolean =>
  parameter === 'id' ||
  (kind === 'number' && !/\.[gl]te$/.test(parameter)) ||
  (kind === 'date' && !/\.(gte|lt)$/.test(parameter));

export const ENTERED_FILTERS = FILTERS.filter((filter) => filter.kind !== 'missing' && !isTyped(filter)).toSorted(
  (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
);
