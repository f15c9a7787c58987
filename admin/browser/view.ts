import { FIELDS, FILTER_FIELDS, type FieldRules, ORDERED_FIELDS } from '../../lib/users/fields.ts';
import { user } from '../../schemas/user.ts';

/** A filter of the API: how it is called there and here, and how it is entered. */
export interface Filter {
  parameter: string;
  label: string;
  kind: 'text' | 'values' | 'number' | 'date' | 'missing';
}

/** `createdAt` is called "Created at". */
export const labelOf = (property: string): string => {
  const words = property.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return property === 'id' ? 'ID' : words.charAt(0).toUpperCase() + words.slice(1);
};

const filterable: readonly [string, FieldRules][] = FILTER_FIELDS.map((field) => [field, FIELDS[field]]);
const withFilter = (...filters: FieldRules['filter'][]): string[] =>
  filterable.flatMap(([field, { filter }]) => (filters.includes(filter) ? [field] : []));

const SEARCHED = filterable.find(([, { search }]) => search)?.[0] ?? '';

/** What people look others up by. */
export const TEXT_FILTERS: readonly Filter[] = [
  { parameter: 'keyword', label: `${labelOf(SEARCHED)} contains`, kind: 'text' },
  ...withFilter('folded').map(
    (field): Filter => ({
      parameter: `${field}.startsWith`,
      label: `${labelOf(field)} begins with`,
      kind: 'text',
    }),
  ),
  ...withFilter('folded').map((field): Filter => ({ parameter: field, label: `${labelOf(field)} is`, kind: 'text' })),
];

export const OTHER_FILTERS: readonly Filter[] = [
  ...withFilter('exact').map((field): Filter => ({ parameter: field, label: labelOf(field), kind: 'values' })),
  ...withFilter('range').flatMap((field): Filter[] => [
    { parameter: `${field}.gte`, label: `${labelOf(field)} from`, kind: 'number' },
    { parameter: `${field}.lte`, label: `${labelOf(field)} to`, kind: 'number' },
  ]),
  { parameter: 'createdAt.gte', label: 'Created from (UTC)', kind: 'date' },
  { parameter: 'createdAt.lt', label: 'Created before (UTC)', kind: 'date' },
];

const isOptional = (field: string): boolean => !user.required.some((name) => name === field);

export const MISSING_FILTERS: readonly Filter[] = FILTER_FIELDS.filter(isOptional).map((field) => ({
  parameter: `${field}.missing`,
  label: `${labelOf(field)} is missing`,
  kind: 'missing',
}));

/** Those that only an address has: they can be typed there, and taken away here. */
const TYPED_FILTERS: readonly Filter[] = [
  { parameter: 'id', label: 'ID', kind: 'values' },
  ...withFilter('range').flatMap((field): Filter[] => [
    { parameter: field, label: labelOf(field), kind: 'number' },
    { parameter: `${field}.gt`, label: `${labelOf(field)} above`, kind: 'number' },
    { parameter: `${field}.lt`, label: `${labelOf(field)} below`, kind: 'number' },
  ]),
  { parameter: 'createdAt.gt', label: 'Created after (UTC)', kind: 'date' },
  { parameter: 'createdAt.lte', label: 'Created until (UTC)', kind: 'date' },
];

/** All filters of the API. */
export const FILTERS: readonly Filter[] = [...TEXT_FILTERS, ...OTHER_FILTERS, ...MISSING_FILTERS, ...TYPED_FILTERS];

/** The properties of a user, in the order of columns. */
export const PROPERTIES: readonly string[] = [...Object.keys(user.properties).filter((name) => name !== 'id'), 'id'];

/** The properties that a list can be sorted by. */
export const SORTED_PROPERTIES: readonly string[] = [...ORDERED_FIELDS, 'createdAt', 'id'];

export interface Sort {
  property: string;
  isDescending: boolean;
}

const MAX_SORTS = 2;
export const SIZES = [20, 50, 100] as const;
const DEFAULT_SIZE = 20;

/** What the page shows. The address bar has all of it, under the names of the API's parameters. */
export interface View {
  /** By parameter; each has one value at least. */
  filters: Readonly<Record<string, readonly string[]>>;
  sorts: readonly Sort[];
  /** From 0. */
  page: number;
  size: number;
  /** The id of the user whose card is open, or `new` for a card of a new one. */
  user: string | undefined;
  /** What the address has besides: a filter may be misspelt. */
  unknown?: readonly string[];
}

const integer = (text: string | null): number => (text !== null && /^\d{1,10}$/.test(text) ? Number(text) : 0);

function readSorts(texts: readonly string[]): Sort[] {
  const sorts = texts.map((text): Sort => {
    const [property = '', direction] = text.split(',');
    return { property, isDescending: direction === 'desc' };
  });
  const isFirst = ({ property }: Sort, index: number) =>
    sorts.findIndex((sort) => sort.property === property) === index;
  return sorts
    .filter((sort, index) => SORTED_PROPERTIES.includes(sort.property) && isFirst(sort, index))
    .slice(0, MAX_SORTS);
}

const OTHERS = ['sort', 'page', 'size', 'user'];

const isKnown = (name: string): boolean => OTHERS.includes(name) || FILTERS.some(({ parameter }) => parameter === name);

/** Reads a view from an address, which can be typed, or be of an earlier version. */
export function readView(hash: string): View {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const filters = FILTERS.flatMap(({ parameter, kind }) => {
    const values = query.getAll(parameter).filter((value) => value !== '');
    return values.length > 0 ? [[parameter, kind === 'values' ? values : values.slice(0, 1)]] : [];
  });
  const size = integer(query.get('size'));
  const user = query.get('user');
  const unknown = [...new Set(query.keys())].filter((name) => !isKnown(name));
  return {
    filters: Object.fromEntries(filters),
    sorts: readSorts(query.getAll('sort')),
    page: integer(query.get('page')),
    size: SIZES.find((known) => known === size) ?? DEFAULT_SIZE,
    user: user !== null && /^(new|\d{1,16})$/.test(user) ? user : undefined,
    ...(unknown.length > 0 && { unknown }),
  };
}

/** The parameters of the list, as the API takes them. */
export function listQuery({ filters, sorts }: View): Record<string, string[]> {
  const sort = sorts.map(({ property, isDescending }) => (isDescending ? `${property},desc` : property));
  return { ...(filters as Record<string, string[]>), ...(sort.length > 0 && { sort }) };
}

export function writeView(view: View): string {
  const query = new URLSearchParams(
    Object.entries(listQuery(view)).flatMap(([name, values]) => values.map((value) => [name, value])),
  );
  if (view.page > 0) query.set('page', String(view.page));
  if (view.size !== DEFAULT_SIZE) query.set('size', String(view.size));
  if (view.user !== undefined) query.set('user', view.user);
  return `#${query}`;
}

/** A view with another filter, on its first page. Without values: without the filter. */
export function withFilterOf(view: View, parameter: string, values: readonly string[]): View {
  const { [parameter]: _, ...others } = view.filters;
  return { ...view, page: 0, filters: values.length > 0 ? { ...others, [parameter]: values } : others };
}

/**
 * The sorts after a click on a column: ascending, then descending, then not at all.
 *
 * @param isAdded whether the column is sorted by in addition, after the others; the last one gives way if there are too many
 */
export function nextSorts(sorts: readonly Sort[], property: string, isAdded: boolean): Sort[] {
  const now = sorts.find((sort) => sort.property === property);
  const next = now?.isDescending ? [] : [{ property, isDescending: now !== undefined }];
  if (!isAdded) return next;
  if (now) return sorts.flatMap((sort) => (sort === now ? next : [sort]));
  return [...sorts.slice(0, MAX_SORTS - 1), ...next];
}
