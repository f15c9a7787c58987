import { user } from '../../schemas/user.ts';
import { isOfAttribute } from '../users/attributes.ts';
import { ANY_ATTRIBUTE, FILTERS, type FilterName, filterNamed } from '../users/filters.ts';
import type { Operation } from './routes.ts';

/** The properties that a listing can be sorted by, and the error message for others. */
export interface SortRules {
  properties: readonly string[];
  /** Whether it can be sorted by attributes, too. */
  byAttributes?: true;
  refusal: (property: string) => string;
}

export type PagingParameter = 'page' | 'size' | 'sort' | 'cursor' | 'by' | 'fields';

/** A filter, or those of all attributes. */
export type ListingFilter = FilterName | typeof ANY_ATTRIBUTE;

/** The parameters that a listing takes. */
export interface ListingRules {
  /** Where to begin and where to end, and what to show, in the order of the OpenAPI document. */
  paging: readonly PagingParameter[];
  /** What the endpoint knows, but the document does not have: another way to ask. */
  undocumented?: readonly (PagingParameter | 'after')[];
  filters: readonly ListingFilter[];
  /** Absent if the order is always by id. */
  sort?: SortRules;
}

/** A listing whose order the client chooses. */
export type SortedListing = ListingRules & { sort: SortRules };

const ALL_FILTERS: readonly ListingFilter[] = [...FILTERS.keys(), ANY_ATTRIBUTE];

export const ANY_FIELD: SortRules = {
  properties: Object.keys(user.properties).filter((property) => property !== 'attributes'),
  byAttributes: true,
  refusal: (property) => `Unknown sort property: ${property}`,
};

export const SEARCH_FIELDS: SortRules = {
  properties: ['id', 'firstName', 'lastName', 'createdAt'],
  refusal: (property) => `Cannot sort by: ${property}`,
};

/** The listings by function. Their parameters in the OpenAPI document follow from it. */
export const LISTINGS = {
  listUsers: {
    paging: ['page', 'size', 'sort', 'fields'],
    undocumented: ['cursor', 'after'],
    filters: ALL_FILTERS,
    sort: ANY_FIELD,
  },
  listUsersByCursor: { paging: ['cursor', 'fields'], filters: ALL_FILTERS },
  listAllUsers: { paging: ['sort', 'fields'], filters: ALL_FILTERS, sort: ANY_FIELD },
  searchUsers: { paging: ['page', 'size', 'sort', 'fields'], filters: ['status', 'keyword'], sort: SEARCH_FIELDS },
} as const satisfies Record<string, ListingRules>;

/** Numbers of users. */
export const COUNTS: ListingRules = { paging: ['by'], filters: ALL_FILTERS };

/** Whom an edit changes. */
export const EDITS: ListingRules = { paging: [], filters: ALL_FILTERS };

/** Whether a parameter is among known ones. */
export const isAmong = (known: readonly string[], name: string): boolean => {
  const filter = filterNamed(name);
  return known.includes(filter && isOfAttribute(filter.property) ? ANY_ATTRIBUTE : name) && name !== ANY_ATTRIBUTE;
};

export const parametersOf = ({ paging, undocumented = [], filters }: ListingRules): readonly string[] => [
  ...paging,
  ...undocumented,
  ...filters,
];

/**
 * The query parameters that each operation takes, the undocumented ones included; operations that take none are left out. Any other is
 * refused. A test compares them with the OpenAPI document.
 */
export const QUERY_PARAMETERS: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  listUsers: parametersOf(LISTINGS.listUsers),
  listAllUsers: parametersOf(LISTINGS.listAllUsers),
  listUsersByCursor: parametersOf(LISTINGS.listUsersByCursor),
  searchUsers: parametersOf(LISTINGS.searchUsers),
  countUsers: parametersOf(COUNTS),
  editUsers: parametersOf(EDITS),
  upsertUser: ['externalId'],
  getUser: ['at', 'fields'],
  listChanges: ['after', 'before', 'by', 'type', 'id', 'size'],
  listUserChanges: ['before', 'size'],
};
