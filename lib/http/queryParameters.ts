import { COUNTS, EDITS, LISTINGS, parametersOf } from './listingRules.ts';
import type { Operation } from './routes.ts';

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
