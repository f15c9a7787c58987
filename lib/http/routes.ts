/** Every route of the service: the functions in serverless.yml and this table agree, a test sees to it. */
export const ROUTES = [
  { operation: 'listUsers', method: 'GET', path: '/api/users' },
  { operation: 'createUser', method: 'POST', path: '/api/users' },
  { operation: 'listAllUsers', method: 'GET', path: '/api/users/all' },
  { operation: 'listUsersByCursor', method: 'GET', path: '/api/users/cursor' },
  { operation: 'searchUsers', method: 'GET', path: '/api/users/search' },
  { operation: 'getUser', method: 'GET', path: '/api/users/{id}' },
  { operation: 'replaceUser', method: 'PUT', path: '/api/users/{id}' },
  { operation: 'patchUser', method: 'PATCH', path: '/api/users/{id}' },
  { operation: 'deleteUser', method: 'DELETE', path: '/api/users/{id}' },
] as const;

const matches = (template: string, path: string): boolean => {
  const [expected, actual] = [template.split('/'), path.split('/')];
  return expected.length === actual.length && expected.every((part, i) => part === actual[i] || part === '{id}');
};

/** The methods of the most specific route that has this path; none when no route has it. */
export function allowedMethods(path: string): string[] {
  const normalized = path.length > 1 ? path.replace(/\/$/, '') : path;
  const exact = ROUTES.filter((route) => route.path === normalized);
  const found = exact.length > 0 ? exact : ROUTES.filter((route) => matches(route.path, normalized));
  return found.map(({ method }) => method);
}
