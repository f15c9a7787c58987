import { type Filters, isAttribute, PROPERTIES, ruleOf, USUAL } from './filters.ts';

/** The screens of the page. A card lies beside them. */
export const SCREENS = { overview: 'Overview', users: 'Users', changes: 'What happened' };

/** The page's own parameters, with one value each. Empty: not given. The API judges what it gets of them. */
const SINGLE = ['page', 'size', 'per', 'type', 'person', 'about', 'from', 'to', 'user', 'at'] as const;

/**
 * The state of the page. The address bar has all of it, under the names of the API's parameters where it has them.
 *
 * Of the overview: new users `per` day, week or month. Of changes: `type`, `person` who made them, `about` whom by id or name, `from` and `to`
 * which day in the reader's zone. Of the card: the id of its `user`, or `new`, and `at` which moment.
 */
export interface View extends Readonly<Record<(typeof SINGLE)[number], string>> {
  show: keyof typeof SCREENS;
  filters: Filters;
  /** As the API takes them: `name`, or `name,desc`. None: the newest first. */
  sort: readonly string[];
  /** The properties that are shown. None: the usual ones. */
  column: readonly string[];
}

const screens = Object.keys(SCREENS) as View['show'][];

const OWN: readonly string[] = [...SINGLE, 'sort', 'column'];

/** Parameters that narrow no list: those that others add to addresses, which the API ignores, and those for which it answers something else. */
const NO_FILTER = /^(?:_|utm_|(?:gclid|fbclid|fields|after|cursor)$)/;

export const sortedBy = (sort: string): string => sort.replace(/,(asc|desc)$/, '');

/** An empty address is the overview, any other a list, unless it says something else. */
const impliedScreen = (isEmpty: boolean): View['show'] => (isEmpty ? 'overview' : 'users');

/** Reads a view from an address, which can be typed. An unknown name is a filter: the API says so. */
export function readView(hash: string): View {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const all = (name: string) => query.getAll(name).filter((value) => value !== '');
  const show = screens.find((screen) => screen === query.get('show'));
  const isFilter = (name: string) => !OWN.includes(name) && !NO_FILTER.test(name) && !(show && name === 'show');
  const names = [...new Set(query.keys())].filter(isFilter);
  const single = Object.fromEntries(SINGLE.map((name) => [name, query.get(name) ?? '']));
  return {
    show: show ?? impliedScreen(query.size === 0),
    filters: Object.fromEntries(names.map((name) => [name, all(name)]).filter(([, values]) => values?.length)),
    sort: all('sort'),
    column: [...new Set(all('column'))],
    ...(single as Pick<View, (typeof SINGLE)[number]>),
  };
}

export function writeView({ show, filters, ...own }: View): string {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries({ ...filters, ...own })) {
    for (const value of [values].flat()) if (value !== '') query.append(name, value);
  }
  if (show !== impliedScreen(query.size === 0)) query.set('show', show);
  return `#${query}`;
}

/** The order of a list: the chosen one, or the newest first. */
export const sortOf = ({ sort }: Pick<View, 'sort'>): readonly string[] =>
  sort.length > 0 ? sort : ['createdAt,desc'];

/** The parameters of the list, as the API takes them. */
export const listQuery = ({ filters, sort }: Pick<View, 'filters' | 'sort'>): Filters => ({
  ...filters,
  sort: sortOf({ sort }),
});

/** The columns of a list: the chosen, or the usual and what the list is narrowed and sorted by. The name is always there. */
export function columnsOf({ column, filters, sort }: View): readonly string[] {
  if (column.length > 0) return ['name', ...column.filter((each) => each !== 'name')];
  const asked = [...Object.keys(filters).map((parameter) => ruleOf(parameter).property), ...sort.map(sortedBy)];
  const more = asked.filter((property) => PROPERTIES.includes(property) || isAttribute(property));
  return [...new Set([...USUAL, ...more])];
}

/** The first page of a list with these filters. */
export const listOf = (filters: Filters): Partial<View> => ({ show: 'users', filters, page: '' });

/** The address of a list with these filters, in an order. */
export const listAddress = (filters: Filters = {}, sort: readonly string[] = []): string =>
  writeView({ ...readView(''), ...listOf(filters), sort });

/** The order after a click on a column: ascending, then descending, then the newest first. */
export function nextSort(sort: readonly string[], property: string): readonly string[] {
  const now = sort.find((each) => sortedBy(each) === property);
  if (now === undefined) return [property];
  return now.endsWith(',desc') || property === 'createdAt' ? [] : [`${property},desc`];
}
