import { FEW_FIELDS, isNumber } from '../../lib/users/fields.ts';
import { type Filter as Asked, isSeveral, FILTERS as RULES } from '../../lib/users/filters.ts';
import { user } from '../../schemas/user.ts';

/** What a filter takes. Those that are used most are entered first. */
const KINDS = ['values', 'number', 'date', 'text', 'missing'] as const;

/** A filter of the API: how it is called there and here, how it is entered, and whether it may have several values. */
export interface Filter {
  parameter: string;
  label: string;
  kind: (typeof KINDS)[number];
  isSeveral: boolean;
  isEntered: boolean;
}

/** The properties of a user, in the order of columns. A list can be sorted by each. */
export const PROPERTIES: readonly string[] = [
  ...Object.keys(user.properties).filter((name) => !['id', 'attributes'].includes(name)),
  'id',
];

/** `createdAt` is called "Created at". */
export const labelOf = (property: string): string => {
  const words = property.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return property === 'id' ? 'ID' : words.charAt(0).toUpperCase() + words.slice(1);
};

const WORDS: Readonly<Record<Asked['asks'], string>> = {
  is: 'is',
  not: 'is not',
  startsWith: 'begins with',
  endsWith: 'ends with',
  contains: 'contains',
  missing: 'is missing',
  gte: 'from',
  lte: 'to',
  gt: 'after',
  lt: 'before',
  words: 'with these words',
};

function kindOf({ property, asks }: Asked): Filter['kind'] {
  if (asks === 'missing') return 'missing';
  if (property === 'createdAt') return 'date';
  if (isNumber(property)) return 'number';
  return ['id', ...FEW_FIELDS].includes(property) ? 'values' : 'text';
}

/** Of those that say nearly the same, one can be entered. The others can be typed in the address, and taken away here. */
const ENTERED: Readonly<Record<Filter['kind'], readonly Asked['asks'][]>> = {
  values: ['is'],
  number: ['gte', 'lte'],
  date: ['gte', 'lt'],
  text: ['is', 'startsWith'],
  missing: [],
};

function filterOf(parameter: string, rule: Asked): Filter {
  const kind = kindOf(rule);
  return {
    parameter,
    label: `${labelOf(rule.property)} ${WORDS[rule.asks]}${kind === 'date' ? ' (UTC)' : ''}`,
    kind,
    isSeveral: isSeveral(rule),
    isEntered: parameter === 'keyword' || (parameter !== 'id' && ENTERED[kind].includes(rule.asks)),
  };
}

/** All filters of the API. */
export const FILTERS: readonly Filter[] = [...RULES].map(([parameter, rule]) => filterOf(parameter, rule));

export const MISSING_FILTERS = FILTERS.filter(({ kind }) => kind === 'missing');

export const ENTERED_FILTERS = FILTERS.filter(({ isEntered }) => isEntered).toSorted(
  (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind),
);
