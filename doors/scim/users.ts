import type { Settings } from '../door.ts';
import { answer, listed, type Page, ScimError } from './answers.ts';
import { flatOfBody, isObject, type Json, patched } from './body.ts';
import { type Conditions, conditionsOf, isUserId, NOBODY, propertyOf } from './conditions.ts';
import { CORE, ENTERPRISE, EXTENSION, type Flat, flatOf, membersOf, patchOf, shortened, userNameOf } from './fields.ts';
import { invalidFilter, parseFilter } from './filter.ts';
import type { Answer, Parameters, Service, User } from './service.ts';

/** The parameters of a list, from the URL or the body of a search. */
export type Query = Partial<
  Record<
    'filter' | 'sortBy' | 'sortOrder' | 'startIndex' | 'count' | 'cursor' | 'attributes' | 'excludedAttributes',
    string
  >
>;

/** The users of a page, at most and by default, as the API has them. */
export const MAX_RESULTS = 100;
/** The highest number that the API takes for a page. */
const LAST_PAGE = 2 ** 31 - 1;
/** How often a change begins again because of other writers. */
const ATTEMPTS = 10;

/** As the API compares. */
const folded = (text: unknown) => String(text).toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/** What is left of a value. Undefined for nothing. @param choose true or false for what a name decides, with all under it */
function kept(
  value: unknown,
  path: string,
  choose: (path: string) => boolean | undefined,
  otherwise: boolean,
): unknown {
  const chosen = choose(path);
  if (chosen !== undefined) return chosen ? value : undefined;
  if (Array.isArray(value)) return value.map((each) => kept(each, path, choose, otherwise));
  if (!isObject(value)) return otherwise ? value : undefined;
  const members = Object.entries(value).map(([name, member]) => {
    return [name, kept(member, `${path && `${path}.`}${name.toLowerCase()}`, choose, otherwise)] as const;
  });
  const there = members.filter(([, member]) => [member].flat().some((each) => each !== undefined));
  return there.length > 0 ? Object.fromEntries(there) : undefined;
}

/** The members that are asked for (RFC 7644, section 3.9): `id` and `schemas` always. */
export function projected(resource: Json, { attributes = '', excludedAttributes = '' }: Query): Json {
  const names = (attributes || excludedAttributes)
    .split(',')
    .map((name) => shortened(name.trim()))
    .filter(Boolean);
  const choose = (path: string): boolean | undefined => {
    if (path === 'id' || path === 'schemas') return true;
    return names.some((name) => `${path}.`.startsWith(`${name}.`)) ? attributes !== '' : undefined;
  };
  const { [EXTENSION]: extension, ...members } = Object(
    names.length > 0 ? kept(resource, '', choose, attributes === '') : resource,
  );
  return extension === undefined ? members : { ...members, [ENTERPRISE]: extension };
}

/** A number of a list. One below the least counts as the least (RFC 7644, section 3.4.2.4). */
export function integer(name: 'count' | 'startIndex', query: Query, other: number, least: number): number {
  const text = query[name] || String(other);
  if (!/^-?\d{1,15}$/.test(text))
    throw new ScimError(400, `${name} is an integer`, name === 'count' ? 'invalidCount' : 'invalidValue');
  return Math.max(least, Number(text));
}

export const countOf = (query: Query): number => Math.min(MAX_RESULTS, integer('count', query, MAX_RESULTS, 0));

function orderOf({ sortBy, sortOrder = 'ascending' }: Query, settings: Settings): Parameters {
  // The newest first: a client that looks for the user that it made finds it on the first page.
  if (!sortBy) return [['sort', 'id,desc']];
  const property = propertyOf(sortBy, settings);
  if (property === undefined || property === 'status')
    throw new ScimError(400, `This service cannot sort by ${sortBy}`, 'invalidPath');
  const [, direction] = /^(asc|desc)ending$/i.exec(sortOrder) ?? [];
  if (direction === undefined) throw new ScimError(400, 'sortOrder is ascending or descending', 'invalidValue');
  return [['sort', `${property},${direction}`]];
}

const parametersOf = (conditions: Conditions): Parameters =>
  [...conditions].flatMap(([name, values]) => values.map((value) => [name, value] as const));

/** The users of a stage, for one request. @param base the URL of the door */
export function usersOf(service: Service, settings: Settings, base: string) {
  const locationOf = (id: number) => `${base}/Users/${id}`;

  function resourceOf(user: User, query: Query, version?: string): Json {
    const flat = flatOf(user, settings).set('userName', userNameOf(flatOf(user, settings), user));
    const members = membersOf(flat);
    const groups = [user.attributes?.[settings.SCIM_GROUPS || ''] ?? []].flat().map(String);
    const { id, createdAt: created, updatedAt: lastModified = created } = user;
    return projected(
      {
        schemas: EXTENSION in members ? [CORE, ENTERPRISE] : [CORE],
        id: String(id),
        ...members,
        ...(groups.length > 0 && { groups: groups.map((value) => ({ value, display: value })) }),
        meta: { resourceType: 'User', created, lastModified, location: locationOf(id), ...(version && { version }) },
      },
      query,
    );
  }

  function answerOf(status: number, { body, headers }: Answer<User>, query: Query): Response {
    const etag = headers.get('etag') ?? '';
    return answer(status, resourceOf(body, query, etag), {
      etag,
      ...(status === 201 && { location: locationOf(body.id) }),
    });
  }

  async function page(parameters: Parameters) {
    return (await service<{ content: User[]; totalElements: number }>({ path: '', parameters })).body;
  }

  /** The users with this userName, ignoring case: among texts with this beginning they come first. */
  async function withAttribute(userName: string, more: Parameters = []): Promise<User[]> {
    const beginning: Parameters = [
      ['attributes.userName.startsWith', userName],
      ['sort', 'attributes.userName'],
      ['size', '100'],
    ];
    const { content } = await page([...beginning, ...more]);
    return content.filter((user) => folded(user.attributes?.userName) === folded(userName));
  }

  /** The same, and users whom the door has not made, by their e-mail address or id. */
  async function named(userName: string, more: Parameters = []): Promise<User[]> {
    const users = await withAttribute(userName, more);
    if (users.length > 0 || more.some(([name]) => /^(?:email|id)(?:\.|$)/.test(name))) return users;
    const other: Parameters = isUserId(userName)
      ? [
          ['id', userName],
          ['email.missing', 'true'],
        ]
      : [['email', userName]];
    return (await page([['attributes.userName.missing', 'true'], ...other, ...more])).content;
  }

  async function byNames(names: string[], conditions: Conditions, query: Query): Promise<Page<User>> {
    const more = parametersOf(conditions).filter(([name]) => name !== 'userName');
    if (more.some(([name]) => name.startsWith('attributes.userName')))
      throw invalidFilter('The filter asks twice for userName');
    const found = new Map<number, User>();
    for (const name of names) for (const user of await named(name, more)) found.set(user.id, user);
    const startIndex = integer('startIndex', query, 1, 1);
    return {
      total: found.size,
      resources: [...found.values()].slice(startIndex - 1).slice(0, countOf(query)),
      startIndex,
    };
  }

  async function byCursor(parameters: Parameters, query: Query, cursor: string): Promise<Page<User>> {
    const count = countOf(query);
    const size = String(Math.max(1, count));
    const { body, headers } = await service<User[]>({
      path: '',
      parameters: [...parameters, ['after', cursor], ['size', size]],
    }).catch((error) => {
      throw cursor && error.status === 400
        ? new ScimError(400, 'The cursor is none of this filter and order', 'invalidCursor')
        : error;
    });
    const [, next] = /[?&]after=([^&>]+)/.exec(headers.get('link') ?? '') ?? [];
    return {
      total: Number(headers.get('x-total-count')),
      resources: body.slice(0, count),
      nextCursor: next && decodeURIComponent(next),
    };
  }

  /** A window begins anywhere, and a page of the API at a multiple of its size: two of them have the window. */
  async function byIndex(parameters: Parameters, query: Query): Promise<Page<User>> {
    const [startIndex, count] = [integer('startIndex', query, 1, 1), countOf(query)];
    const size = Math.max(1, count);
    const first = Math.min(LAST_PAGE - 1, Math.floor((startIndex - 1) / size));
    const skipped = (startIndex - 1) % size;
    const pageAt = (number: number) => page([...parameters, ['page', String(number)], ['size', String(size)]]);
    const { content, totalElements: total } = await pageAt(first);
    const more = skipped > 0 && total > (first + 1) * size ? (await pageAt(first + 1)).content : [];
    return { total, resources: [...content, ...more].slice(skipped, skipped + count), startIndex };
  }

  async function pageOf(query: Query): Promise<Page<User>> {
    const conditions =
      query.filter === undefined ? new Map<string, string[]>() : conditionsOf(parseFilter(query.filter), settings);
    if (conditions === NOBODY) return { total: 0, resources: [], startIndex: 1 };
    const parameters = [...parametersOf(conditions), ...orderOf(query, settings)];
    const names = conditions.get('userName');
    if (names) return byNames(names, conditions, query);
    return query.cursor === undefined ? byIndex(parameters, query) : byCursor(parameters, query, query.cursor);
  }

  async function list(query: Query): Promise<Response> {
    const { resources, ...rest } = await pageOf(query).catch((error) => {
      // The API says what it cannot read, such as a filter that a stage of an older version does not know.
      throw error.status === 400 && !error.scimType ? invalidFilter(error.message) : error;
    });
    return listed({ ...rest, resources: resources.map((user) => resourceOf(user, query)) });
  }

  async function get(id: string, query: Query, ifNoneMatch: string | null): Promise<Response> {
    const found = await service<User>({ path: `/${id}`, headers: ifNoneMatch ? { 'if-none-match': ifNoneMatch } : {} });
    if (found.status === 304)
      return new Response(null, { status: 304, headers: { etag: found.headers.get('etag') ?? '' } });
    return answerOf(200, found, query);
  }

  async function refuseTaken(
    userName: unknown,
    id: number | undefined,
    find: (userName: string) => Promise<User[]>,
  ): Promise<void> {
    const others = (await find(String(userName))).filter((user) => user.id !== id);
    if (others.length > 0) throw new ScimError(409, `There is a user with the userName ${userName}`, 'uniqueness');
  }

  /** Of two writers of one userName at once, the later one to ask afterwards sees both users: so one takes its own back at least. */
  async function refuseSecond(userName: unknown, id: number, takeBack: () => Promise<unknown>): Promise<void> {
    await refuseTaken(userName, id, withAttribute).catch(async (error) => {
      await takeBack();
      throw error;
    });
  }

  async function create(body: Json, query: Query): Promise<Response> {
    const flat = flatOfBody(body);
    const userName = flat.get('userName');
    await refuseTaken(userName, undefined, named);
    const json = patchOf({}, new Map(), flat, settings, false);
    const created = await service<User>({
      method: 'POST',
      path: '',
      json,
      headers: { 'idempotency-key': crypto.randomUUID() },
    });
    await refuseSecond(userName, created.body.id, () => remove(String(created.body.id), null));
    return answerOf(201, created, query);
  }

  /** @param to the attributes after the change */
  async function changeOnce(
    id: string,
    ifMatch: string | null,
    to: (flat: Flat) => Flat,
    isPatch: boolean,
  ): Promise<Answer<User>> {
    const found = await service<User>({ path: `/${id}` });
    const etag = found.headers.get('etag') ?? '';
    if (ifMatch !== null && !ifMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))))
      throw new ScimError(412, 'The user has changed since');
    const before = flatOf(found.body, settings);
    const after = to(before);
    const json = patchOf(found.body, before, after, settings, isPatch);
    if (Object.keys(json).length === 0) return found;
    const write = (patch: Json, tag: string) =>
      service<User>({ method: 'PATCH', path: `/${id}`, json: patch, headers: { 'if-match': tag } });
    const userName = after.get('userName');
    if (userName === undefined || folded(userName) === folded(before.get('userName'))) return write(json, etag);
    await refuseTaken(userName, found.body.id, named);
    const changed = await write(json, etag);
    const back = () => write(patchOf(changed.body, after, before, settings, false), changed.headers.get('etag') ?? '');
    await refuseSecond(userName, found.body.id, back);
    return changed;
  }

  /** A change without If-Match is made of the user as it is then, whoever writes meanwhile. */
  async function change(
    id: string,
    ifMatch: string | null,
    query: Query,
    to: (flat: Flat) => Flat,
    isPatch: boolean,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return answerOf(200, await changeOnce(id, ifMatch, to, isPatch), query);
      } catch (error) {
        if (!(error instanceof ScimError) || error.status !== 412 || ifMatch !== null || attempt === ATTEMPTS)
          throw error;
      }
    }
  }

  /** A client that leaves out whether a user is active, or the external id, does not mean to take it away. */
  function replaced(before: Flat, body: Json): Flat {
    const kept = [...before].filter(([path]) => path === 'active' || path === 'externalId');
    return new Map([...kept, ...flatOfBody(body)]);
  }

  async function remove(id: string, ifMatch: string | null): Promise<Response> {
    await service({
      method: 'DELETE',
      path: `/${id}`,
      headers: ifMatch ? { 'if-match': ifMatch.replaceAll('W/', '') } : {},
    });
    return new Response(null, { status: 204 });
  }

  return {
    list,
    get,
    create,
    remove,
    replace: (id: string, body: Json, ifMatch: string | null, query: Query) =>
      change(id, ifMatch, query, (before) => replaced(before, body), false),
    patch: (id: string, body: Json, ifMatch: string | null, query: Query) =>
      change(id, ifMatch, query, (before) => patched(before, body), true),
  };
}
