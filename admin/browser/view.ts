import { CHANGE_TYPES, type ChangeType } from './connection.ts';
import { FILTERS, PROPERTIES } from './filters.ts';

/** What the page can show. A card lies over it. */
export const SCREENS = ['overview', 'users', 'changes'] as const;

const MAX_SORTS = 2;
export const SIZES = [20, 50, 100] as const;
const DEFAULT_SIZE = 20;

/** What the page shows. The address bar has all of it, under the names of the API's parameters where it has them. */
export interface View {
  show: (typeof SCREENS)[number];
  /** By parameter; each has one value at least. */
  filters: Readonly<Record<string, readonly string[]>>;
  /** As the API takes them: `name`, or `name,desc`. */
  sorts: readonly string[];
  /** The properties that are shown. None: all. */
  columns: readonly string[];
  /** From 0. */
  page: number;
  size: number;
  /** Of changes: the type, who made them, and the id of whom they concern. */
  type: ChangeType | undefined;
  person: string;
  about: string;
  /** The id of the user whose card is open, or `new` for a card of a new one. */
  user: string | undefined;
  /** The moment as of which the card shows its user. Undefined: now. */
  at: string | undefined;
  /** What the address has besides: a filter may be misspelt. */
  unknown?: readonly string[];
}

const isId = (value: string): boolean => /^\d{1,16}$/.test(value);

/** Whether a value of a parameter means something. Those of filters are judged by the API. */
const VALID = new Map<string, (value: string) => boolean>([
  ...FILTERS.map(({ parameter }): [string, () => boolean] => [parameter, () => true]),
  ['show', (value) => SCREENS.some((screen) => screen === value)],
  ['sort', (value) => PROPERTIES.includes(sortedBy(value))],
  ['column', (value) => PROPERTIES.includes(value)],
  ['page', (value) => /^\d{1,10}$/.test(value)],
  ['size', (value) => SIZES.some((size) => String(size) === value)],
  ['type', (value) => CHANGE_TYPES.some((type) => type === value)],
  ['person', () => true],
  ['about', isId],
  ['user', (value) => value === 'new' || isId(value)],
  ['at', (value) => !Number.isNaN(Date.parse(value))],
]);

/** What an address has that means nothing. */
const unknownIn = (query: URLSearchParams): string[] =>
  [...query].flatMap(([name, value]) => {
    const isValid = VALID.get(name);
    if (!isValid) return [name];
    return value === '' || isValid(value) ? [] : [`${name}=${value}`];
  });

export const sortedBy = (sort: string): string => sort.replace(/,(asc|desc)$/, '');

const isFirst = (sort: string, index: number, sorts: readonly string[]): boolean =>
  sorts.findIndex((other) => sortedBy(other) === sortedBy(sort)) === index;

/** An empty address is the overview, any other a list, unless it says something else. */
const impliedScreen = (isEmpty: boolean): View['show'] => (isEmpty ? 'overview' : 'users');

/** Reads a view from an address, which can be typed, or be of an earlier version. */
export function readView(hash: string): View {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const all = (name: string) => query.getAll(name).filter((value) => value !== '' && VALID.get(name)?.(value));
  const one = (name: string) => all(name)[0];
  const filters = FILTERS.flatMap(({ parameter, isSeveral }) => {
    const values = all(parameter);
    return values.length > 0 ? [[parameter, isSeveral ? values : values.slice(0, 1)]] : [];
  });
  const unknown = [...new Set(unknownIn(query))];
  return {
    show: SCREENS.find((screen) => screen === one('show')) ?? impliedScreen(query.size === 0),
    filters: Object.fromEntries(filters),
    sorts: all('sort').filter(isFirst).slice(0, MAX_SORTS),
    columns: PROPERTIES.filter((property) => all('column').includes(property)),
    page: Number(one('page') ?? 0),
    size: Number(one('size') ?? DEFAULT_SIZE),
    type: CHANGE_TYPES.find((type) => type === one('type')),
    person: one('person') ?? '',
    about: one('about') ?? '',
    user: one('user'),
    at: one('at'),
    ...(unknown.length > 0 && { unknown }),
  };
}

/** The parameters of the list, as the API takes them. */
export const listQuery = ({ filters, sorts }: View): Record<string, readonly string[]> => ({
  ...filters,
  ...(sorts.length > 0 && { sort: sorts }),
});

export function writeView(view: View): string {
  const query = new URLSearchParams(
    Object.entries({ ...listQuery(view), column: view.columns }).flatMap(([name, values]) =>
      values.map((value) => [name, value]),
    ),
  );
  const { page, size, type, person, about, user, at } = view;
  const others = { page: page || '', size: size === DEFAULT_SIZE ? '' : size, type, person, about, user, at };
  for (const [name, value = ''] of Object.entries(others)) if (value !== '') query.set(name, String(value));
  if (view.show !== impliedScreen(query.size === 0)) query.set('show', view.show);
  return `#${query}`;
}

/** The columns of a list. The name is always there. */
export const columnsOf = ({ columns }: View): readonly string[] =>
  columns.length === 0 ? PROPERTIES : PROPERTIES.filter((each) => each === 'name' || columns.includes(each));

/** The address of a list with these filters. */
export const listAddress = (filters: View['filters'] = {}): string =>
  writeView({ ...readView(''), show: 'users', filters });

/** A list with another filter, on its first page. Without values: without the filter. */
export function withFilterOf(view: View, parameter: string, values: readonly string[]): View {
  const { [parameter]: _, ...others } = view.filters;
  const filters = values.length > 0 ? { ...others, [parameter]: values } : others;
  return { ...view, show: 'users', page: 0, filters };
}

/**
 * The sorts after a click on a column: ascending, then descending, then not at all.
 *
 * @param isAdded whether the column is sorted by in addition, after the others; the last one gives way if there are too many
 */
export function nextSorts(sorts: readonly string[], property: string, isAdded: boolean): readonly string[] {
  const now = sorts.find((sort) => sortedBy(sort) === property);
  const next = now?.endsWith(',desc') ? [] : [now === undefined ? property : `${property},desc`];
  if (!isAdded) return next;
  if (now !== undefined) return sorts.flatMap((sort) => (sort === now ? next : [sort]));
  return [...sorts.slice(0, MAX_SORTS - 1), ...next];
}
