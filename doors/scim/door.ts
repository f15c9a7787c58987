import { createHash, timingSafeEqual } from 'node:crypto';
import type { Settings } from '../door.ts';
import { answer, listed, refused, ScimError } from './answers.ts';
import { type Asked, type Json, type Methods, PARAMETERS, type Query } from './asked.ts';
import { isObject } from './body.ts';
import { isUserId } from './conditions.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { groupsOf } from './groups.ts';
import { serviceOf } from './service.ts';
import { usersOf } from './users.ts';

const BASE = '/scim/v2';
/** Bytes of a body, as the API takes them of a user and of many: a group may have some 20,000 members. */
const MAX_BYTES = 65_536;
const MAX_GROUP_BYTES = 1_048_576;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the caller presents the token, or one of two while one replaces the other. It takes as long for any other. */
function isCaller(authorization: string | null, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  const tokens = token.split(/\s+/).filter(Boolean);
  return tokens.map((each) => timingSafeEqual(digest(each), digest(given))).includes(true);
}

async function bodyOf(request: Request, most: number): Promise<Json> {
  const type = request.headers.get('content-type') ?? 'application/scim+json';
  if (!/^application\/(?:scim\+)?json *(?:;|$)/i.test(type))
    throw new ScimError(415, 'A body is application/scim+json');
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > most) throw new ScimError(413, `A body has at most ${most} bytes`);
  try {
    const body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isObject(body)) return body;
  } catch {}
  throw new ScimError(400, 'The body must be a JSON object', 'invalidSyntax');
}

/** Members that a list does not know are ignored. */
function queryOf(members: Json): Query {
  const pairs = PARAMETERS.flatMap((name) => {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    if (value === undefined || value === null) return [];
    const texts = [value].flat();
    // Bytes that are not UTF-8 arrive as U+FFFD.
    if (texts.some((text) => typeof text === 'object' || /\uFFFD|\p{Surrogate}/u.test(String(text))))
      throw new ScimError(400, `${name} is no text in UTF-8`, 'invalidValue');
    // A name with a filter in brackets is none. Nothing would be shown for it.
    if (/attributes$/i.test(name) && !/^[\w.:$\s,-]*$/.test(texts.join()))
      throw new ScimError(400, `${name} takes names of attributes, with commas between them`, 'invalidPath');
    return [[name, texts.join()]];
  });
  return Object.fromEntries(pairs);
}

/** An id in a path. A text that is none is the id of nobody. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return '?';
  }
}

/** Descriptions. They cannot be filtered (RFC 7644, section 4). */
function describedBy({ query, id }: Asked, resources: { id: string }[]): [Methods, Methods] {
  const all = () => {
    if (query.filter !== undefined) throw new ScimError(403, 'This list cannot be filtered');
    return listed({ total: resources.length, resources, startIndex: 1 });
  };
  const one = () => {
    const found = resources.find((each) => each.id === id);
    if (found) return answer(200, found);
    throw new ScimError(404, 'There is no such resource');
  };
  return [{ GET: all }, { GET: one }];
}

const missing = () => {
  throw new ScimError(501, 'This service does not support this');
};
const MISSING: Methods = { GET: missing, POST: missing, PUT: missing, PATCH: missing, DELETE: missing };

type Route = (asked: Asked) => [all: Methods, one?: Methods];

const searchOf = (route: Route, asked: Asked): Methods => ({
  POST: async () => {
    const [{ GET = missing }] = route({ ...asked, query: queryOf(await asked.body()) });
    return GET();
  },
});

/** By the first part of the path, methods of the whole, and of one with an id. */
const ROUTES = new Map<string, Route>([
  ['Users', usersOf],
  ['Groups', groupsOf],
  ['ServiceProviderConfig', ({ base }) => [{ GET: () => answer(200, serviceProviderConfig(base)) }]],
  ['Schemas', (asked) => describedBy(asked, schemas(asked))],
  ['ResourceTypes', (asked) => describedBy(asked, resourceTypes(asked))],
  // With groups it would be a search of several types at once.
  ['.search', (asked) => [asked.settings.SCIM_GROUPS ? MISSING : searchOf(usersOf, asked)]],
  ['Bulk', () => [MISSING]],
  ['Me', () => [MISSING]],
]);

function methodsAt(head: string, asked: Asked): Methods | undefined {
  const { id, settings } = asked;
  if (head === 'Users' && id === '.search') return searchOf(usersOf, asked);
  if (head === 'Users' && id !== '' && !isUserId(id)) return undefined;
  if (head === 'Groups' && !settings.SCIM_GROUPS) return undefined;
  if (head === 'Groups' && id === '.search') return searchOf(groupsOf, asked);
  return ROUTES.get(head)?.(asked)[id === '' ? 0 : 1];
}

async function respond(request: Request, settings: Settings): Promise<Response> {
  const { headers, method: name } = request;
  if (!isCaller(headers.get('authorization'), settings.token))
    throw new ScimError(401, 'The token is not that of this service', undefined, {
      'www-authenticate': 'Bearer realm="SCIM"',
    });
  const { origin, pathname, searchParams } = new URL(request.url);
  const [, head = '', id = ''] = /^\/scim\/v2\/([^/]+)(?:\/([^/]+))?\/?$/.exec(pathname) ?? [];
  const asked: Asked = {
    ...{ settings, service: serviceOf(settings), base: origin + BASE, id: decoded(id) },
    ...{ query: queryOf(Object.fromEntries(searchParams)) },
    body: () => bodyOf(request, head === 'Groups' ? MAX_GROUP_BYTES : MAX_BYTES),
    ...{ ifMatch: headers.get('if-match'), ifNoneMatch: headers.get('if-none-match') },
  };
  const methods = methodsAt(head, asked);
  if (methods === undefined) throw new ScimError(404, 'There is nothing at this path');
  const method = methods[name === 'HEAD' ? 'GET' : name];
  if (method !== undefined) return method();
  const allow = Object.keys(methods).join(', ');
  throw new ScimError(405, `This path takes ${allow}`, undefined, { allow });
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
