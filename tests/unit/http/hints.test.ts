import { expect, test } from 'vitest';
import { helpAt, hintAt } from '../../../lib/http/hints.ts';
import { usersQuery } from '../../../lib/http/queries/lists.ts';
import { CHANGE_MANY, ROUTES, WORDS } from '../../../lib/http/routes.ts';
import { OPERATIONS } from '../../../lib/openapi/operations.ts';

const KNOWN = usersQuery.names;

/** Names of other products by what is meant. */
const MEANT: Record<string, string> = {
  'is q meant?': 'search query $search searchTerm',
  'is size meant?':
    'limit Limit per_page perPage pageSize page_size count top $top maxResults page[size] page[limit] max take',
  'is sort meant, such as sort=lastName,desc?': 'orderBy order_by sortBy $orderby order sortOrder desc',
  'is page meant?': 'pageNumber page[number] Page',
  'is page meant, which counts pages of size users, from 0?': 'offset skip $skip startIndex first page[offset]',
  'is createdAt.gte meant?': 'since createdAfter created_after created[gte] createdAt created_at[gte]',
  'is updatedAt.gte meant?':
    'lastModified modifiedAt updated updatedAt updated_since modified_at modified[gte] updatedSince',
  'is updatedAt.lt meant?': 'updated_before modifiedBefore updatedAt.before',
  'is createdAt.lt meant?': 'until createdBefore created_before created[lt] createdAt.before',
  'is fields meant?': 'select $select include attributes fields[users] AttributesToGet',
  'is after meant?': 'pageToken nextToken PaginationToken starting_after page[after] $skiptoken',
  'each filter is a parameter of its own, such as status': 'filter $filter where filter[status] filter.name',
  'is the header Accept meant?': 'format',
  'is the header Authorization meant?': 'access_token api_key',
  'is status meant?': 'staus status[] status__in Status status.eq',
  'is country meant?': 'contry couuntry countri coutnry COUNTRY',
  'is email meant?': 'username emial e-mail',
  'is lastName meant?': 'surname family_name last_name',
  'is age.gte meant?': 'age[gte] age__gte age> age.min',
  'is age meant?': 'age.between',
  'is status.not meant?': 'status! status.ne status[$ne] status__nin status.notIn',
  'is name.contains meant?': 'name.ilike name~',
  'is email.endsWith meant?': 'domain email.domain',
  'is attributes.department meant?':
    'department profile.department custom:department user_metadata[department] department[] department__in department.eq',
  'is attributes.department.not meant?':
    'department! department.ne department[$ne] department.not profile.department.not',
  'is attributes.department.startsWith meant?': 'department.startsWith',
  'is attributes.role meant?': 'role',
  'is attributes.phone meant?': 'phone',
  'is attributes.constructor meant?': 'constructor',
  'is attributes.profile meant?': 'profile',
  'is attributes.active meant, or status?': 'active',
  'each page has its total': 'include_totals',
  'is at meant? GET /api/users/{id} takes it': 'asOf',
  'is by meant? GET /api/users/counts takes it': 'groupBy',
};

test.each(Object.entries(MEANT).flatMap(([hint, names]) => names.split(' ').map((name) => [name, hint])))(
  '%s: %s',
  (name, hint) => {
    expect(hintAt(name, KNOWN)).toBe(hint);
  },
);

test.each(['имя', '7', 'x'.repeat(64), '$', ''])('%j is like none', (name) => {
  expect(hintAt(name, KNOWN)).toBeUndefined();
});

test.each([
  ['role', ['status'], 'is attributes.role meant? GET /api/users takes it'],
  ['role', ['at'], undefined],
  ['country', ['status'], 'GET /api/users takes it'],
  ['attributes.team', ['status'], 'GET /api/users takes it'],
  ['at', ['status'], 'GET /api/users/{id} takes it'],
  ['asOf', ['at'], 'is at meant?'],
  ['limit', ['sort'], 'is size meant? GET /api/users takes it'],
  [
    'since',
    ['after', 'before'],
    'GET /api/users?updatedAt.gte= lists who has changed since a date. after is no date, but the token next of an earlier response, or now',
  ],
  [
    'since',
    ['before', 'size'],
    'changes have their moments in at, and the newest come first. before is no date, but goes on from the last change of a response',
  ],
  ['status', ['externalId'], `GET /api/users takes it. ${CHANGE_MANY}`],
  ['deleted', ['status'], 'GET /api/users/changes?type=deleted has the users who were deleted'],
  ['page', ['after'], 'is after meant?'],
  ['search', ['keyword'], 'is keyword meant?'],
])('a hint for %s is what an endpoint with %j takes, or which endpoint takes it', (name, known, hint) => {
  expect(hintAt(name, known)).toBe(hint);
});

test('every parameter of an endpoint is known to be taken by an endpoint that takes it', () => {
  for (const { query } of Object.values(OPERATIONS)) {
    for (const name of query?.names.filter((each) => !each.includes('<')) ?? []) {
      const [, method, path] = /(GET) (\S+) takes it$/.exec(hintAt(name, []) ?? '') ?? [];
      const operation = ROUTES.find((route) => route.method === method && route.path === path)?.operation;
      expect(operation && OPERATIONS[operation].query?.isTaken(name), name).toBe(true);
    }
  }
});

/** Help for a request as API Gateway tells it. */
const helpFor = (method: string, path: string): string => {
  const known = ['/api/users', '/api/users/edits', '/api/users/all'].find((each) => each === path);
  const [, id] = /^\/api\/users\/([^/]+)$/.exec(path) ?? [];
  const resource = known ?? (id === undefined ? '/{proxy+}' : '/api/users/{id}');
  return helpAt({ resource, path, httpMethod: method, pathParameters: id === undefined ? null : { id } });
};

test.each([
  ['GET', '/api/users/count', '/api/users/counts'],
  ['GET', '/api/users/cuonts', '/api/users/counts'],
  ['GET', '/api/users/history', 'GET /api/users/{id}/changes'],
  ['GET', '/api/users/5/history', 'GET /api/users/5/changes'],
  ['GET', '/api/users/5/histroy', 'GET /api/users/5/changes'],
  ['GET', '/api/users/audit-log', 'GET /api/users/changes'],
  ['GET', '/api/audit', 'GET /api/users/changes'],
  ['POST', '/api/users/5/restore', 'PUT /api/users/5 with If-None-Match: *'],
  ['GET', '/api/users/export', 'GET /api/users/all'],
  ['GET', '/api/users.csv', 'GET /api/users/all'],
  ['POST', '/api/users/bulk', 'POST /api/users/edits'],
  ['DELETE', '/api/users/bulkDelete', 'POST /api/users/edits'],
  ['POST', '/api/users/import', 'POST /api/users/batch'],
  ['GET', '/api/users/me', 'externalId'],
  ['GET', '/api/users/serach', 'q=ann'],
  ['GET', '/api/users/5/groups', 'attributes.groups'],
  ['GET', '/api/users/ann@example.com', 'email='],
  ['GET', '/api/users/auth0|7', 'externalId='],
  ['GET', '/api/users/email/x', 'GET /api/users?email='],
  ['GET', '/v1/users/7', '/api/users/7'],
  ['GET', '/nope', '/api/openapi.json'],
  ['DELETE', '/api/users', CHANGE_MANY],
  ['PATCH', '/api/users', CHANGE_MANY],
  ['PATCH', '/api/users/all', CHANGE_MANY],
  ['GET', '/api/users/edits', CHANGE_MANY],
  ['POST', '/api/users/5', 'PATCH /api/users/5 changes a user'],
])('%s %s is told %s', (method, path, there) => {
  expect(helpFor(method, path)).toContain(there);
});

test('every method and path that help names is a route, and each word has one meaning', () => {
  const named = WORDS.flatMap(({ there }) => [...there.matchAll(/(GET|POST|PUT|PATCH) (\/api[^\s?,:]*)/g)]);
  for (const [, method, path] of named)
    expect(
      ROUTES.some((route) => route.method === method && route.path === path),
      `${method} ${path}`,
    ).toBe(true);
  const words = WORDS.flatMap(({ elsewhere }) => elsewhere.split(' '));
  expect(words).toEqual([...new Set(words)]);
});
