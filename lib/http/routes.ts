import type { Route as AnyRoute } from '../rest/index.ts';

/**
 * Every route of the service, with the scopes (RFC 6749, section 3.3) that its caller needs, all of them, if authentication is on. A test
 * compares the routes with the functions in serverless.yml. An edit without a filter that was meant would change everybody, so edits are strict.
 */
export const ROUTES = [
  { operation: 'listUsers', method: 'GET', path: '/api/users', scopes: ['users:read'] },
  { operation: 'createUser', method: 'POST', path: '/api/users', scopes: ['users:write'] },
  {
    operation: 'batchUsers',
    method: 'POST',
    path: '/api/users/batch',
    scopes: ['users:read', 'users:write'],
    isUntimed: true,
  },
  { operation: 'upsertUser', method: 'PUT', path: '/api/users', scopes: ['users:write'] },
  {
    operation: 'editUsers',
    method: 'POST',
    path: '/api/users/edits',
    scopes: ['users:read', 'users:write'],
    isStrict: true,
    isUntimed: true,
  },
  { operation: 'getEdit', method: 'GET', path: '/api/users/edits/{edit}', scopes: ['users:audit'] },
  {
    operation: 'undoEdit',
    method: 'POST',
    path: '/api/users/edits/{edit}/undo',
    scopes: ['users:audit', 'users:read', 'users:write'],
    isStrict: true,
    isUntimed: true,
  },
  { operation: 'listAllUsers', method: 'GET', path: '/api/users/all', scopes: ['users:read'], isUntimed: true },
  { operation: 'listUsersByCursor', method: 'GET', path: '/api/users/cursor', scopes: ['users:read'] },
  { operation: 'searchUsers', method: 'GET', path: '/api/users/search', scopes: ['users:read'] },
  { operation: 'countUsers', method: 'GET', path: '/api/users/counts', scopes: ['users:read'] },
  { operation: 'getUser', method: 'GET', path: '/api/users/{id}', scopes: ['users:read'] },
  { operation: 'replaceUser', method: 'PUT', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'patchUser', method: 'PATCH', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'deleteUser', method: 'DELETE', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'listChanges', method: 'GET', path: '/api/users/changes', scopes: ['users:audit'] },
  { operation: 'listUserChanges', method: 'GET', path: '/api/users/{id}/changes', scopes: ['users:audit'] },
  {
    operation: 'eraseUserChanges',
    method: 'DELETE',
    path: '/api/users/{id}/changes',
    scopes: ['users:audit', 'users:write'],
    isUntimed: true,
  },
  { operation: 'getOpenApi', method: 'GET', path: '/api/openapi.json', scopes: [] },
  { operation: 'getDocs', method: 'GET', path: '/api/docs', scopes: [] },
  { operation: 'getDocsFile', method: 'GET', path: '/api/docs/{file}', scopes: [] },
  { operation: 'getAdmin', method: 'GET', path: '/api/admin', scopes: [] },
  { operation: 'getAdminFile', method: 'GET', path: '/api/admin/{file}', scopes: [] },
] as const satisfies readonly AnyRoute[];

export type Route = (typeof ROUTES)[number];
export type Operation = Route['operation'];
export type Scope = Route['scopes'][number];
