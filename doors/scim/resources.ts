/** Users as SCIM shows them. */
import { answer } from './answers.ts';
import type { Asked, Json, Query } from './asked.ts';
import { isObject } from './body.ts';
import { CORE, ENTERPRISE, EXTENSION, flatOf, groupsIn, membersOf, shortened, userNameOf } from './fields.ts';
import { type Answer, type User, userIn } from './service.ts';
import { tableOf } from './table.ts';

/** The part of a value that is asked for, or undefined. @param choose true or false for a path that a name decides, with all under it */
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
  const names = (attributes || excludedAttributes).split(',').flatMap((name) => shortened(name.trim()) || []);
  const choose = (path: string): boolean | undefined => {
    if (path === 'id' || path === 'schemas') return true;
    return names.some((name) => `${path}.`.startsWith(`${name}.`)) ? attributes !== '' : undefined;
  };
  const shown = names.length > 0 ? kept(resource, '', choose, attributes === '') : resource;
  const { [EXTENSION]: extension, ...members } = Object(shown);
  return extension === undefined ? members : { ...members, [ENTERPRISE]: extension };
}

/** Whether an attribute with all under it is in an answer, or may be. */
export function isShown(name: string, { attributes, excludedAttributes = '' }: Query): boolean {
  const names = (attributes || excludedAttributes).split(',').map((each) => each.trim().toLowerCase());
  return attributes ? names.some((each) => `${each}.`.startsWith(`${name}.`)) : !names.includes(name);
}

/** The names of the groups of users, by id. One read of the table for a hundred groups, and none without groups. */
export async function groupNames(users: User[], { settings, query }: Asked): Promise<ReadonlyMap<string, string>> {
  const ids = settings.SCIM_GROUPS && isShown('groups', query) ? users.flatMap((user) => groupsIn(user, settings)) : [];
  return tableOf(settings).names([...new Set(ids)]);
}

/** @param version the ETag, if it is known */
export function resourceOf(
  user: User,
  names: ReadonlyMap<string, string>,
  { settings, base, query }: Asked,
  version?: string | null,
): Json {
  const { id, createdAt: created, updatedAt: lastModified = created } = user;
  const flat = flatOf(user, settings);
  const members = membersOf(flat.set('userName', userNameOf(flat, user)));
  const groups = groupsIn(user, settings);
  const meta = {
    resourceType: 'User',
    created,
    lastModified,
    location: `${base}/Users/${id}`,
    ...(version && { version }),
  };
  const schemas = EXTENSION in members ? [CORE, ENTERPRISE] : [CORE];
  if (groups.length > 0) members.groups = groups.map((value) => ({ value, display: names.get(value) ?? value }));
  return projected({ schemas, id: String(id), ...members, meta }, query);
}

export async function answerOf(
  status: 200 | 201,
  { body: given, headers }: Answer<User>,
  asked: Asked,
): Promise<Response> {
  const body = userIn(given);
  const etag = headers.get('etag') ?? '';
  const location = `${asked.base}/Users/${body.id}`;
  const resource = resourceOf(body, await groupNames([body], asked), asked, etag);
  return answer(status, resource, { etag, ...(status === 201 && { location }) });
}
