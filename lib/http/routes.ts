// made of functions/ by npm run derive
import type { Route as AnyRoute } from '../rest/index.ts';
import type { Words } from './words.ts';

/** Every route of the service, with the scopes (RFC 6749, section 3.3) that its caller needs, all of them, if authentication is on. */
export const ROUTES = [
  { operation: 'listUsers', method: 'GET', path: '/api/users', scopes: ['users:read'] },
  { operation: 'createUser', method: 'POST', path: '/api/users', scopes: ['users:write'] },
  { operation: 'upsertUser', method: 'PUT', path: '/api/users', scopes: ['users:write'] },
  { operation: 'listAllUsers', method: 'GET', path: '/api/users/all', scopes: ['users:read'], isUntimed: true },
  { operation: 'batchUsers', method: 'POST', path: '/api/users/batch', scopes: ['users:read', 'users:write'], isUntimed: true },
  { operation: 'listChanges', method: 'GET', path: '/api/users/changes', scopes: ['users:audit'] },
  { operation: 'countUsers', method: 'GET', path: '/api/users/counts', scopes: ['users:read'] },
  { operation: 'listUsersByCursor', method: 'GET', path: '/api/users/cursor', scopes: ['users:read'] },
  { operation: 'editUsers', method: 'POST', path: '/api/users/edits', scopes: ['users:read', 'users:write'], isStrict: true, isUntimed: true },
  { operation: 'getEdit', method: 'GET', path: '/api/users/edits/{edit}', scopes: ['users:audit'] },
  { operation: 'undoEdit', method: 'POST', path: '/api/users/edits/{edit}/undo', scopes: ['users:audit', 'users:read', 'users:write'], isStrict: true, isUntimed: true },
  { operation: 'searchUsers', method: 'GET', path: '/api/users/search', scopes: ['users:read'] },
  { operation: 'getUser', method: 'GET', path: '/api/users/{id}', scopes: ['users:read'] },
  { operation: 'replaceUser', method: 'PUT', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'patchUser', method: 'PATCH', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'deleteUser', method: 'DELETE', path: '/api/users/{id}', scopes: ['users:write'] },
  { operation: 'listUserChanges', method: 'GET', path: '/api/users/{id}/changes', scopes: ['users:audit'] },
  { operation: 'eraseUserChanges', method: 'DELETE', path: '/api/users/{id}/changes', scopes: ['users:audit', 'users:write'], isUntimed: true },
  { operation: 'getAdmin', method: 'GET', path: '/api/admin', scopes: [] },
  { operation: 'getAdminFile', method: 'GET', path: '/api/admin/{file}', scopes: [] },
  { operation: 'getDocs', method: 'GET', path: '/api/docs', scopes: [] },
  { operation: 'getDocsFile', method: 'GET', path: '/api/docs/{file}', scopes: [] },
  { operation: 'getOpenApi', method: 'GET', path: '/api/openapi.json', scopes: [] },
] as const satisfies readonly AnyRoute[];

export type Route = (typeof ROUTES)[number];
export type Operation = Route['operation'];
export type Scope = Route['scopes'][number];

/** The way to change or delete several users. */
export const CHANGE_MANY =
  'POST /api/users/edits changes or deletes all users who match its filters, and POST /api/users/batch up to 100 users whom it names';

/** Words of paths in other APIs, in small letters and digits, and what is there for each, where {id} is that of the path. */
export const WORDS: readonly Words[] = [
  { elsewhere: 'edits edit batch bulk bulks multiple many mass delete remove destroy purge update', there: CHANGE_MANY },
  { elsewhere: 'me self current whoami myself userinfo profile', there: 'The service does not know which user calls: GET /api/users?externalId= finds one by the sub of a token' },
  { elsewhere: 'groups group roles role teams team tags tag departments department permissions memberships memberof', there: 'Groups are an array in attributes: GET /api/users?attributes.groups=admins' },
  { elsewhere: 'search find query lookup filter filters cursor', there: 'GET /api/users finds users by parameters, such as q=ann, status=active or name.startsWith=Ann' },
  { elsewhere: 'new create add register signup', there: 'POST /api/users creates a user' },
  { elsewhere: 'all export exports download dump backup report csv xlsx ndjson stream list', there: 'GET /api/users/all has all users, as CSV with Accept: text/csv' },
  { elsewhere: 'import imports upload', there: 'POST /api/users/batch creates up to 100 users, and the program npm run import reads files' },
  { elsewhere: 'counts count total totals size length number stats statistics aggregate facets', there: 'GET /api/users/counts counts users, and GET /api/users/counts?by=status those with each value' },
  { elsewhere: 'undo restore undelete recover revert rollback reactivate deleted trash archive archived', there: 'POST /api/users/edits/{edit}/undo takes an edit back, and PUT /api/users/{id} with If-None-Match: * brings a deleted user back. GET /api/users/changes?type=deleted has the deleted users' },
  { elsewhere: 'activate deactivate suspend unsuspend block unblock enable disable lock unlock lifecycle', there: 'PATCH /api/users/{id} sets the status' },
  { elsewhere: 'changes history audit auditlogs log logs event events activity activities versions revisions timeline feed delta sync adminevents', there: 'GET /api/users/{id}/changes has what happened to a user, and GET /api/users/changes what happened to all' },
  { elsewhere: 'admin console dashboard ui', there: '/api/admin is a page for people' },
  { elsewhere: 'docs documentation openapi swagger apidocs swaggerui redoc schema schemas', there: '/api/docs shows the API, and /api/openapi.json describes it' },
];

/** Where parameters are taken that are no filters: lists take these, too. */
export const TAKEN_AT: Readonly<Record<string, string>> = {
  'GET /api/users': 'page size sort fields cursor after',
  'GET /api/users/changes': 'before type',
  'GET /api/users/counts': 'by',
  'GET /api/users/{id}': 'at',
};
