/** Users, one at a time. */
import { ScimError } from './answers.ts';
import type { Asked, Json, Methods } from './asked.ts';
import { flatOfBody, patched } from './body.ts';
import { type Flat, flatOf, patchOf } from './fields.ts';
import { folded, listUsers, named, withAttribute } from './lists.ts';
import { answerOf } from './resources.ts';
import type { Answer, User } from './service.ts';

/** How often a change begins again because of other writers. */
const ATTEMPTS = 10;

/** A client that leaves out whether a user is active, or the external id, does not mean to take it away. */
const replaced = (before: Flat, body: Json): Flat =>
  new Map([...[...before].filter(([path]) => /^(?:active|externalId)$/.test(path)), ...flatOfBody(body)]);

export function usersOf(asked: Asked): [all: Methods, one: Methods] {
  const { service, settings, ifMatch, ifNoneMatch } = asked;
  const path = `/${asked.id}`;

  async function get(): Promise<Response> {
    const headers: Record<string, string> = ifNoneMatch ? { 'if-none-match': ifNoneMatch } : {};
    const found = await service<User>('GET', path, { headers });
    if (found.status === 200) return answerOf(200, found, asked);
    return new Response(null, { status: 304, headers: { etag: found.headers.get('etag') ?? '' } });
  }

  async function refuseTaken(userName: string, find: typeof named, id?: number): Promise<void> {
    const others = (await find(service, userName)).filter((user) => user.id !== id);
    if (others.length > 0) throw new ScimError(409, `There is a user with the userName ${userName}`, 'uniqueness');
  }

  /** Of two writers of one userName at once, the later one to ask afterwards sees both users: so one takes its own back at least. */
  async function writeUnique(
    userName: string,
    id: number | undefined,
    write: () => Promise<Answer<User>>,
    back: (user: User) => Promise<unknown>,
  ) {
    await refuseTaken(userName, named, id);
    const written = await write();
    await refuseTaken(userName, withAttribute, written.body.id).catch(async (error) => {
      await back(written.body);
      throw error;
    });
    return written;
  }

  async function create(): Promise<Response> {
    const flat = flatOfBody(await asked.body());
    const json = patchOf({}, new Map(), flat, settings, false);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const write = () => service<User>('POST', '', { json, headers });
    const created = await writeUnique(String(flat.get('userName')), undefined, write, ({ id }) =>
      service('DELETE', `/${id}`),
    );
    return answerOf(201, created, asked);
  }

  /** @param to the attributes after the change */
  async function changeOnce(to: (flat: Flat) => Flat, isPatch: boolean): Promise<Answer<User>> {
    const found = await service<User>('GET', path);
    const etag = found.headers.get('etag') ?? '';
    const tags = ifMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? ['*'];
    if (!tags.some((tag) => tag === '*' || tag === etag)) throw new ScimError(412, 'The user has changed meanwhile');
    const before = flatOf(found.body, settings);
    const after = to(before);
    const json = patchOf(found.body, before, after, settings, isPatch);
    if (Object.keys(json).length === 0) return found;
    const write = () => service<User>('PATCH', path, { json, headers: { 'if-match': etag } });
    const userName = after.get('userName');
    if (userName === undefined || folded(userName) === folded(before.get('userName'))) return write();
    const back = (user: User) => service('PATCH', path, { json: patchOf(user, after, before, settings, false) });
    return writeUnique(String(userName), found.body.id, write, back);
  }

  /** A change without If-Match is made of the user as it is then, also while others write. */
  async function change(to: (flat: Flat) => Flat, isPatch: boolean): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return answerOf(200, await changeOnce(to, isPatch), asked);
      } catch (error) {
        const isLate = error instanceof ScimError && error.status === 412 && ifMatch === null;
        if (!isLate || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async function put(): Promise<Response> {
    const body = await asked.body();
    return change((before) => replaced(before, body), false);
  }

  async function patch(): Promise<Response> {
    const body = await asked.body();
    return change((before) => patched(before, body), true);
  }

  async function remove(): Promise<Response> {
    const headers: Record<string, string> = ifMatch === null ? {} : { 'if-match': ifMatch.replaceAll('W/', '') };
    await service('DELETE', path, { headers });
    return new Response(null, { status: 204 });
  }

  return [
    { GET: () => listUsers(asked), POST: create },
    { GET: get, PUT: put, PATCH: patch, DELETE: remove },
  ];
}
