import { CHANGE_TYPES, type ChangeType } from './connection.ts';
import { isAttribute, isSeveral, PROPERTIES, ruleOf, USUAL } from './filters.ts';

/** What the page can show. A card lies beside it. */
export const SCREENS = ['overview', 'users', 'changes'] as const;

export const SIZES = [20, 50, 100] as const;

/** What the page shows. The address bar has all of it, under the names of the API's parameters where it has them. */
export interface View {
  show: (typeof SCREENS)[number];
  /** By parameter; each has one value at least. The API judges them. */
  filters: Readonly<Record<string, readonly string[]>>;
  /** As the API takes them: `name`, or `name,desc`. None: the newest first. */
  sorts: readonly string[];
  /** The properties that are shown. None: the usual ones. */
  columns: readonly string[];
  /** From 0. */
  page: number;
  size: number;
  /** Of changes: the type, who made them, and the id of whom they concern. */
  type: ChangeType | undefined;
  person: string;
  about: string;
  /** The last of the days that are told, in the reader's zone. */
  day: string;
  /** The id of the user whose card is open, or `new` for a card of a new one. */
  user: string | undefined;
  /** The moment as of which the card shows its user. Undefined: now. */
  at: string | undefined;
  /** What the address has of the page's own parameters that means nothing. */
  unknown?: readonly string[];
}

/** The page's own parameters, and which values of theirs mean something. All others are filters. */
const OWN = new Map<string, RegExp>([
  ['show', /^(overview|users|changes)$/],
  ['sort', /./],
  ['column', /./],
  ['page', /^\d{1,10}$/],
  ['size', /^(20|50|100)$/],
  ['type', /^(created|updated|deleted)$/],
  ['person', /./],
  ['about', /^\d{1,16}$/],
  ['day', /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$/],
  ['user', /^(new|\d{1,16})$/],
  ['at', /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/],
]);

export const sortedBy = (sort: string): string => sort.replace(/,(asc|desc)$/, '');

/** An empty address is the overview, any other a list, unless it says something else. */
const impliedScreen = (isEmpty: boolean): View['show'] => (isEmpty ? 'overview' : 'users');

function filtersIn(query: URLSearchParams): View['filters'] {
  const names = [...new Set(query.keys())].filter((name) => !OWN.has(name));
  const given = names.map((name): [string, string[]] => [name, query.getAll(name).filter((value) => value !== '')]);
  const some = given.filter(([, values]) => values.length > 0);
  return Object.fromEntries(some.map(([name, values]) => [name, isSeveral(name) ? values : values.slice(0, 1)]));
}

/** Reads a view from an address, which can be typed, or be of an earlier version. */
export function readView(hash: string): View {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const own = [...query].filter(([name, value]) => OWN.has(name) && value !== '');
  const isKnown = ([name, value]: [string, string]) => OWN.get(name)?.test(value);
  const all = (name: string) => own.filter((each) => each[0] === name && isKnown(each)).map(([, value]) => value);
  const one = (name: string) => all(name)[0];
  const unknown = own.filter((each) => !isKnown(each)).map((each) => each.join('='));
  return {
    show: SCREENS.find((screen) => screen === one('show')) ?? impliedScreen(query.size === 0),
    filters: filtersIn(query),
    sorts: all('sort'),
    columns: [...new Set(all('column'))],
    page: Number(one('page') ?? 0),
    size: Number(one('size') ?? SIZES[0]),
    type: CHANGE_TYPES.find((type) => type === one('type')),
    person: one('person') ?? '',
    about: one('about') ?? '',
    day: one('day') ?? '',
    user: one('user'),
    at: one('at'),
    ...(unknown.length > 0 && { unknown: [...new Set(unknown)] }),
  };
}

/** The parameters of the list, as the API takes them. */
export const listQuery = ({ filters, sorts }: Pick<View, 'filters' | 'sorts'>): Record<string, readonly string[]> => ({
  ...filters,
  sort: sorts.length > 0 ? sorts : ['createdAt,desc'],
});

export function writeView({ show, filters, sorts, columns, page, size, unknown: _, ...others }: View): string {
  const several = Object.entries({ ...filters, sort: sorts, column: columns });
  const query = new URLSearchParams(several.flatMap(([name, values]) => values.map((value) => [name, value])));
  const single = { page: page || '', size: size === SIZES[0] ? '' : size, ...others };
  for (const [name, value = ''] of Object.entries(single)) if (value !== '') query.set(name, String(value));
  if (show !== impliedScreen(query.size === 0)) query.set('show', show);
  return `#${query}`;
}

/** The columns of a list: the chosen, or the usual and what the list is narrowed and sorted by. The name is always there. */
export function columnsOf({ columns, filters, sorts }: View): readonly string[] {
  if (columns.length > 0) return ['name', ...columns.filter((column) => column !== 'name')];
  const asked = [...Object.keys(filters).map((parameter) => ruleOf(parameter).property), ...sorts.map(sortedBy)];
  const more = asked.filter((property) => PROPERTIES.includes(property) || isAttribute(property));
  return [...new Set([...USUAL, ...more])];
}

/** The address of a list with these filters. */
export const listAddress = (filters: View['filters'] = {}): string =>
  writeView({ ...readView(''), show: 'users', filters });

/** A list with other values of a filter, on its first page. Without values: without the filter. */
export function withFilterOf(view: View, parameter: string, values: readonly string[]): View {
  const { [parameter]: _, ...others } = view.filters;
  const filters = values.length > 0 ? { ...others, [parameter]: values } : others;
  return { ...view, show: 'users', page: 0, filters };
}

/** A list with one more value of a filter, or the other value of one that has only one. */
export function withValue(view: View, parameter: string, value: string): View {
  const before = isSeveral(parameter) ? (view.filters[parameter] ?? []) : [];
  return withFilterOf(view, parameter, [...new Set([...before, value])]);
}

export function withoutValue(view: View, parameter: string, value: string): View {
  const left = view.filters[parameter]?.filter((other) => other !== value) ?? [];
  return withFilterOf(view, parameter, left);
}

/** The order after a click on a column: ascending, then descending, then the newest first. */
export function nextSorts(sorts: readonly string[], property: string): readonly string[] {
  const now = sorts.find((sort) => sortedBy(sort) === property);
  return now === undefined ? [property] : now.endsWith(',desc') ? [] : [`${property},desc`];
}
