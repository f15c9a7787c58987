import { createHash, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../door.ts';
import { answer, listed, refused, ScimError } from './answers.ts';
import { isObject, type Json } from './body.ts';
import { isUserId } from './conditions.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { groupsOf } from './groups.ts';
import { serviceOf } from './service.ts';
import { type Query, usersOf } from './users.ts';

const BASE = '/scim/v2';
/** Bytes of a body, as the API takes them. */
const MAX_BYTES = 65_536;

interface Asked {
  users: ReturnType<typeof usersOf>;
  groups: ReturnType<typeof groupsOf>;
  settings: Settings;
  base: string;
  query: Query;
  id: string;
  ifMatch: string | null;
  ifNoneMatch: string | null;
  body(): Promise<Json>;
}

type Methods = Record<string, (asked: Asked) => Response | Promise<Response>>;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the caller presents the token, or one of two while one replaces the other. It takes as long for any other. */
function isCaller(authorization: string | null, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  const tokens = token.split(/\s+/).filter(Boolean);
  return tokens.map((each) => timingSafeEqual(digest(each), digest(given))).includes(true);
}

async function bodyOf(request: Request): Promise<Json> {
  const type = request.headers.get('content-type') ?? 'application/scim+json';
  if (!/^application\/(?:scim\+)?json *(?:;|$)/i.test(type))
    throw new ScimError(415, 'A body is application/scim+json');
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BYTES) throw new ScimError(413, `A body has at most ${MAX_BYTES} bytes`);
  try {
    const body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isObject(body)) return body;
  } catch {}
  throw new ScimError(400, 'The body is no object in JSON', 'invalidSyntax');
}

/** Members that a list does not know are ignored. */
function queryOf(members: Json): Query {
  const texts = Object.entries(members).filter(([, value]) => value !== null);
  // What is not UTF-8 arrives as U+FFFD.
  if (texts.some(([, value]) => /\uFFFD|\p{Surrogate}/u.test(String(value))))
    throw new ScimError(400, 'A parameter is not UTF-8', 'invalidValue');
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

const found = <Resource extends { id: string }>(all: Resource[], id: string): Response => {
  const one = all.find((each) => each.id === id);
  if (!one) throw new ScimError(404, 'There is no such resource');
  return answer(200, one);
};

/** An id in a path. What is none is nobody's. */
function decoded(id = ''): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return '';
  }
}

/** Descriptions cannot be filtered (RFC 7644, section 4). */
function allOf(resources: object[], { filter }: Query): Response {
  if (filter !== undefined) throw new ScimError(403, 'This list cannot be filtered');
  return listed({ total: resources.length, resources, startIndex: 1 });
}

const search: Methods = { POST: async ({ users, body }) => users.list(queryOf(await body())) };
const missing = () => {
  throw new ScimError(501, 'This service does not do that');
};
const MISSING: Methods = { GET: missing, POST: missing, PUT: missing, PATCH: missing, DELETE: missing };

/** By the first part of the path, methods of the whole, and of one with an id. */
const ROUTES: Record<string, [all: Methods, one?: Methods]> = {
  Users: [
    {
      GET: ({ users, query }) => users.list(query),
      POST: async ({ users, query, body }) => users.create(await body(), query),
    },
    {
      GET: ({ users, id, query, ifNoneMatch }) => users.get(id, query, ifNoneMatch),
      PUT: async ({ users, id, query, ifMatch, body }) => users.replace(id, await body(), ifMatch, query),
      PATCH: async ({ users, id, query, ifMatch, body }) => users.patch(id, await body(), ifMatch, query),
      DELETE: ({ users, id, ifMatch }) => users.remove(id, ifMatch),
    },
  ],
  Groups: [
    { GET: ({ groups, query }) => groups.list(query) },
    { GET: ({ groups, id, query }) => groups.get(id, query) },
  ],
  ServiceProviderConfig: [{ GET: ({ base }) => answer(200, serviceProviderConfig(base)) }],
  Schemas: [
    { GET: ({ settings, base, query }) => allOf(schemas(settings, base), query) },
    { GET: ({ settings, base, id }) => found(schemas(settings, base), id) },
  ],
  ResourceTypes: [
    { GET: ({ settings, base, query }) => allOf(resourceTypes(settings, base), query) },
    { GET: ({ settings, base, id }) => found(resourceTypes(settings, base), id) },
  ],
  '.search': [search],
  Bulk: [MISSING, MISSING],
  Me: [MISSING],
};

function methodsAt(head: string, id: string | undefined, { SCIM_GROUPS }: Settings): Methods | undefined {
  if (head === 'Users' && id === '.search') return search;
  const isThere =
    Object.hasOwn(ROUTES, head) &&
    (head !== 'Groups' || SCIM_GROUPS) &&
    (head !== 'Users' || id === undefined || isUserId(id));
  return isThere ? ROUTES[head]?.[id === undefined ? 0 : 1] : undefined;
}

async function respond(request: Request, settings: Settings): Promise<Response> {
  if (!isCaller(request.headers.get('authorization'), settings.token))
    throw new ScimError(401, 'The token is not that of this service', undefined, {
      'www-authenticate': 'Bearer realm="SCIM"',
    });
  const { origin, pathname, searchParams } = new URL(request.url);
  const [, head = '', id, more] = /^\/scim\/v2\/([^/]+)(?:\/([^/]+))?(\/.+)?\/?$/.exec(pathname) ?? [];
  const methods = more === undefined ? methodsAt(head, id, settings) : undefined;
  if (methods === undefined) throw new ScimError(404, 'There is nothing at this path');
  const method = methods[request.method === 'HEAD' ? 'GET' : request.method];
  const allow = Object.keys(methods).join(', ');
  if (method === undefined) throw new ScimError(405, `This path takes ${allow}`, undefined, { allow });
  const [service, base] = [serviceOf(settings), origin + BASE];
  return method({
    ...{ settings, base, users: usersOf(service, settings, base), groups: groupsOf(service, settings, base) },
    ...{
      query: queryOf(Object.fromEntries(searchParams)),
      id: decoded(id),
      body: () => bodyOf(request),
    },
    ...{ ifMatch: request.headers.get('if-match'), ifNoneMatch: request.headers.get('if-none-match') },
  });
}

/** SCIM 2.0, under /scim/v2. */
export default async function door(request: Request, settings: Settings): Promise<Response> {
  try {
    return await respond(request, settings);
  } catch (error) {
    if (error instanceof ScimError) return refused(error);
    console.error(error);
    return refused(new ScimError(500, 'The door has failed'));
  }
}
