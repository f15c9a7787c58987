import { user } from '../../schemas/user.ts';
import { EXACT_FIELDS, FIELDS, type FieldRules, ORDERED_FIELDS } from '../users/fields.ts';
import { FILTERS, type FilterName } from '../users/filters.ts';
import { USERS_INDEXES, type UsersIndex } from '../users/indexes.ts';

/** The properties that a listing can be sorted by, and the error message for others. */
export interface SortRules {
  properties: readonly string[];
  refusal: (property: string) => string;
}

/** A filter by a property, the keyword, or ids. */
export type FilterParameter = FilterName | 'keyword' | 'id';

export type PagingParameter = 'page' | 'size' | 'sort' | 'cursor' | 'by';

/** The parameters that a listing takes. */
export interface ListingRules {
  /** Where to begin and where to end, in the order of the OpenAPI document. */
  paging: readonly PagingParameter[];
  /** What the endpoint knows, but the document does not have: another way to ask, or what it refuses. */
  undocumented?: readonly PagingParameter[];
  filters: readonly FilterParameter[];
  /** Absent if the order is always by id. */
  sort?: SortRules;
}

/** A listing whose order the client chooses. */
export type SortedListing = ListingRules & { sort: SortRules };

const ALL_FILTERS: readonly FilterParameter[] = ['id', ...FILTERS.keys(), 'keyword'];

const SORTABLE = new Set<string>(['id', 'createdAt', ...ORDERED_FIELDS]);

export const ANY_FIELD: SortRules = {
  properties: Object.keys(user.properties).filter((property) => SORTABLE.has(property)),
  refusal: (property) => `Unknown sort property: ${property}`,
};

export const SEARCH_FIELDS: SortRules = {
  properties: ['id', 'firstName', 'lastName', 'createdAt'],
  refusal: (property) => `Cannot sort by: ${property}`,
};

/** The listings by function. Their permissions on indexes and their parameters in the OpenAPI document follow from it. */
export const LISTINGS = {
  listUsers: { paging: ['page', 'size', 'sort'], undocumented: ['cursor'], filters: ALL_FILTERS, sort: ANY_FIELD },
  listUsersByCursor: { paging: ['cursor'], undocumented: ['page', 'size', 'sort'], filters: ALL_FILTERS },
  listAllUsers: { paging: ['sort'], filters: ALL_FILTERS, sort: ANY_FIELD },
  searchUsers: { paging: ['page', 'size', 'sort'], filters: ['status', 'keyword'], sort: SEARCH_FIELDS },
} as const satisfies Record<string, ListingRules>;

/** Numbers of users. */
export const COUNTS: ListingRules = { paging: ['by'], filters: EXACT_FIELDS };

export const parametersOf = ({ paging, undocumented = [], filters }: ListingRules): readonly string[] => [
  ...paging,
  ...undocumented,
  ...filters,
];

/** The parameters of any listing. */
export const LISTING_PARAMETERS: ReadonlySet<string> = new Set(Object.values(LISTINGS).flatMap(parametersOf));

/** @throws {Error} for a function that is not a listing */
export function rulesOf(functionName: string): ListingRules {
  const rules: ListingRules | undefined = Object.entries(LISTINGS).find(([name]) => name === functionName)?.[1];
  if (!rules) throw new Error(`${functionName} is missing in LISTINGS of lib/http/listingRules.ts`);
  return rules;
}

const SEARCHED = Object.entries<FieldRules>(FIELDS).flatMap(([field, { search }]) => (search ? [field] : []));

/** The orders of the lists that have the users of a filter. */
function ordersOf(filter: FilterParameter): readonly string[] {
  if (filter === 'keyword') return SEARCHED;
  const property = filter === 'id' ? undefined : FILTERS.get(filter)?.property;
  return property === undefined || property === 'createdAt' ? [] : [property];
}

/** The indexes that a listing can read: in the order of what it sorts or filters by, of all users or within its filters. */
export function indexesOf({ filters, sort }: ListingRules): UsersIndex[] {
  const asked = new Set(['id', ...filters.flatMap(ordersOf), ...(sort?.properties ?? [])]);
  return USERS_INDEXES.filter(
    (index) => asked.has(index.order) && index.filters.every((field) => filters.includes(field)),
  );
}
