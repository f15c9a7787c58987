import { VERSION } from '../http/api.ts';
import { ROUTES, type Route } from '../http/routes.ts';
import { MEDIA, needsToken } from '../rest/index.ts';
import { headerComponents } from './headers.ts';
import { OPERATIONS } from './operations.ts';
import { HEADER_PARAMETERS, PATH_PARAMETERS, parameterRefs, queryRefs } from './parameters.ts';
import { ERROR_RESPONSES, type ErrorStatus, errorRefs, media } from './responses.ts';
import { SCHEMAS, schemaRef, withReferences } from './schemas.ts';

/** The errors that every operation can have, and the errors that an operation with a token can have. */
const ANY_ERROR: readonly ErrorStatus[] = [400, 429, 500, 503];

/** A DELETE answers nothing, so nothing in it could be unacceptable. */
const contentErrors = ({ method }: Route): readonly ErrorStatus[] => (method === 'DELETE' ? [] : [406]);
const AUTHENTICATION_ERRORS: readonly ErrorStatus[] = [401, 403];

const DESCRIPTION = `User records: create, read, replace, patch, delete, and list them with exact totals, any page, any sort, filters and substring search.

- Every error is \`{"status", "message"}\`, or RFC 9457 problem details for a client that prefers \`application/problem+json\`. Errors that never reach a function are always the former: no valid token, a missing scope, too many requests, a body beyond 10 MB.
- Every GET can be a HEAD. OPTIONS names the methods of a path. Another method is refused with 405 and \`Allow\`.
- Members of a body that are not known are ignored, and named in \`Ignored-Members\`; with \`Prefer: handling=strict\`, and always in an edit or an undo, they are refused (400). A query parameter that the operation does not know is refused (400), unless \`Prefer: handling=lenient\` asks otherwise; names that begin with \`_\` or \`utm_\`, \`gclid\` and \`fbclid\` are ignored. A blank parameter counts as absent, a filter only if it is empty; nothing is coerced. \`sort\` and filters that are arrays here may be repeated (any of the values; with \`.not\` none of them); another parameter given twice is refused.
- A read shows every write that was acknowledged before it: by id, in totals and in lists.`;

/** The properties of the deployment that serves the document. */
export interface Deployment {
  /** Where the paths begin: the stage, or the base path of a domain. */
  server: string;
  /** Whether callers need a token. */
  isProtected: boolean;
}

function bodyOf(route: Route) {
  const { body, isBodyOptional = false, schemas = {} } = OPERATIONS[route.operation];
  if (!body) return {};
  const content = Object.entries(typeof body === 'string' ? { [MEDIA.json]: body } : body).map(([type, schema]) =>
    media(type, schemaRef(schema), schemas[schema]?.example),
  );
  return { requestBody: { required: !isBodyOptional, content: Object.assign({}, ...content) } };
}

/** The parameter in a path, by its name there. */
const inPath = ({ path }: Route, named?: keyof typeof PATH_PARAMETERS) =>
  named ? [named] : path.includes('{id}') ? (['Id'] as const) : path.includes('{edit}') ? (['EditName'] as const) : [];

const tagOf = (route: Route): string =>
  !needsToken(route) ? 'Documentation' : route.path.endsWith('/changes') ? 'Changes' : 'Users';

function operationObject(route: Route, isProtected: boolean) {
  const { summary, description, path, query, headers = [], responses, errors = [] } = OPERATIONS[route.operation];
  const isGuarded = isProtected && needsToken(route);
  const statuses = [...errors, ...(isGuarded ? AUTHENTICATION_ERRORS : []), ...contentErrors(route), ...ANY_ERROR];
  return {
    operationId: route.operation,
    tags: [tagOf(route)],
    summary,
    ...(description && { description }),
    security: isGuarded ? [{ token: [...route.scopes] }] : [],
    parameters: [
      ...parameterRefs(inPath(route, path)),
      ...queryRefs(query.parameters),
      ...parameterRefs([...headers, ...('isStrict' in route ? [] : (['Prefer'] as const))]),
    ],
    ...bodyOf(route),
    responses: { ...responses, ...errorRefs(statuses) },
  };
}

function pathsOf(isProtected: boolean) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationObject(route, isProtected) };
  }
  return paths;
}

const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token with the scope `users:read` to read, `users:write` to write and `users:audit` to see changes, with the prefix that the issuer puts before scopes, if any.',
  },
};

/** The OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.1.html */
export const openApiDocument = ({ server, isProtected }: Deployment) => ({
  openapi: '3.1.1',
  info: {
    title: 'User management',
    version: VERSION,
    summary: 'User records over DynamoDB',
    description: DESCRIPTION,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: server }],
  tags: [
    { name: 'Users', description: 'Single users and lists.' },
    { name: 'Changes', description: 'The changes of users, with their moments and writers.' },
    {
      name: 'Documentation',
      description: 'The description of the API, for programs and for people. Needs no credentials.',
    },
  ],
  paths: pathsOf(isProtected),
  components: {
    schemas: Object.assign(
      Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, withReferences(schema)])),
      ...Object.values(OPERATIONS).map(({ named }) => named),
    ),
    parameters: {
      ...PATH_PARAMETERS,
      ...Object.assign({}, ...Object.values(OPERATIONS).map(({ components }) => components)),
      ...HEADER_PARAMETERS,
    },
    headers: headerComponents(),
    responses: ERROR_RESPONSES,
    ...(isProtected && { securitySchemes: SECURITY_SCHEMES }),
  },
});
