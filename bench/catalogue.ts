/** A request that the benchmark makes at every size. */
export interface CatalogueEntry {
  title: string;
  operation: 'listUsers' | 'listUsersByCursor' | 'getUser';
  /** The query string; `{half}` and `{last}` stand for the numbers of those pages, `{id}` for an id in the middle. */
  query: string;
  /** The same asked of the two baselines, where they can answer it. */
  baseline?: BaselineQuery;
  /** Drawn in the chart. */
  isDrawn?: boolean;
}

export interface BaselineQuery {
  /** An index that has the order, for the one that skips. */
  index: string;
  forward: boolean;
  /** The attribute that the one that scans sorts by. */
  sortBy: string;
  page: 'first' | 'half' | 'last';
  filters?: Record<string, string>;
  lastNameContains?: string;
}

const byId = { index: 'byId', forward: true, sortBy: 'id' } as const;
const byName = { index: 'byName', forward: true, sortBy: 'name' } as const;

export const CATALOGUE: readonly CatalogueEntry[] = [
  { title: 'first page', operation: 'listUsers', query: '', baseline: { ...byId, page: 'first' } },
  {
    title: 'first page by name',
    operation: 'listUsers',
    query: 'sort=name',
    baseline: { ...byName, page: 'first' },
    isDrawn: true,
  },
  {
    title: 'last page by name',
    operation: 'listUsers',
    query: 'sort=name&page={last}',
    baseline: { ...byName, page: 'last' },
  },
  { title: 'first page by email, descending (a tenth has none)', operation: 'listUsers', query: 'sort=email,desc' },
  { title: 'first page by age, descending', operation: 'listUsers', query: 'sort=age,desc' },
  { title: 'first page by status, then country', operation: 'listUsers', query: 'sort=status&sort=country' },
  {
    title: 'half way by name',
    operation: 'listUsers',
    query: 'sort=name&page={half}',
    baseline: { ...byName, page: 'half' },
    isDrawn: true,
  },
  {
    title: 'status',
    operation: 'listUsers',
    query: 'status=pending',
    baseline: { ...byId, page: 'first', filters: { status: 'pending' } },
  },
  { title: 'country', operation: 'listUsers', query: 'country=GR' },
  { title: 'status, by email', operation: 'listUsers', query: 'status=suspended&sort=email' },
  { title: 'country, by age descending', operation: 'listUsers', query: 'country=GR&sort=age,desc' },
  {
    title: 'status and country, by first name',
    operation: 'listUsers',
    query: 'status=suspended&country=PL&sort=firstName',
    baseline: {
      index: 'byFirstName',
      forward: true,
      sortBy: 'firstName',
      page: 'first',
      filters: { status: 'suspended', country: 'PL' },
    },
    isDrawn: true,
  },
  {
    title: 'keyword "ski", by last name',
    operation: 'listUsers',
    query: 'keyword=ski&sort=lastName',
    baseline: { index: 'byLastName', forward: true, sortBy: 'lastName', page: 'first', lastNameContains: 'ski' },
    isDrawn: true,
  },
  {
    title: 'keyword "ski" and two filters, by last name',
    operation: 'listUsers',
    query: 'keyword=ski&status=active&country=PL&sort=lastName',
  },
  { title: 'keyword "mann", by email descending', operation: 'listUsers', query: 'keyword=mann&sort=email,desc' },
  { title: 'keyword "son" and status, by age', operation: 'listUsers', query: 'keyword=son&status=pending&sort=age' },
  { title: 'keyword "ova" (a tenth of all names), by name', operation: 'listUsers', query: 'keyword=ova&sort=name' },
  { title: 'keyword "a", by last name', operation: 'listUsers', query: 'keyword=a&sort=lastName' },
  { title: 'keyword "a", by email', operation: 'listUsers', query: 'keyword=a&sort=email' },
  { title: 'keyword "q", by age', operation: 'listUsers', query: 'keyword=q&sort=age' },
  { title: 'cursor', operation: 'listUsersByCursor', query: 'cursor={id}' },
  {
    title: 'cursor, status and country',
    operation: 'listUsersByCursor',
    query: 'cursor={id}&status=active&country=DE',
  },
  { title: 'get by id', operation: 'getUser', query: '' },
];

/** Every sort there is, in both directions. */
export const ALL_SORTS = [
  'id',
  'name',
  'email',
  'age',
  'firstName',
  'lastName',
  'createdAt',
  'status',
  'country',
].flatMap((property) => [`${property},asc`, `${property},desc`]);
