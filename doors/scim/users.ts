/** Users, one at a time. */
import { setTimeout } from 'node:timers/promises';
import { ScimError } from './answers.ts';
import type { Asked, Json, Methods } from './asked.ts';
import { flatOfBody, patched } from './body.ts';
import { type Flat, flatOf, folded, patchOf } from './fields.ts';
import { listUsers, named, withAttribute } from './lists.ts';
import { answerOf } from './resources.ts';
import { type Answer, strange, type User, userIn } from './service.ts';

/** How often a change begins again because of other writers. */
const ATTEMPTS = 10;
/** How often, and after how many milliseconds each, a writer looks whether another one has given a userName back: 5 s in all. */
const WAITS = 20;
const WAIT_MS = 250;

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

  async function others(userName: string, find: typeof named, id?: number): Promise<User[]> {
    return (await find(service, userName)).filter((user) => user.id !== id);
  }

  const taken = (userName: string) => new ScimError(409, `There is a user with the userName ${userName}`, 'uniqueness');

  /**
   * Whether a user who has been written keeps the userName. Of writers at once the one who asks last sees all of them, so two
   * never keep it. A writer that sees a lower id gives way. One that sees higher ids alone waits for them to do so, and gives
   * way in the end.
   */
  async function keepsName(userName: string, id: number): Promise<boolean> {
    for (let wait = 1; ; wait++) {
      const seen = await others(userName, withAttribute, id);
      if (seen.length === 0) return true;
      if (wait > WAITS || seen.some((user) => user.id < id)) return false;
      await setTimeout(WAIT_MS);
    }
  }

  async function writeUnique(
    userName: string,
    id: number | undefined,
    write: () => Promise<Answer<User>>,
    back: (user: User) => Promise<unknown>,
  ) {
    if ((await others(userName, named, id)).length > 0) throw taken(userName);
    const written = await write();
    const user = userIn(written.body);
    if (await keepsName(userName, user.id)) return written;
    await back(user);
    throw taken(userName);
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
    userIn(found.body);
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
    const { status } = await service('DELETE', path, { headers });
    if (status !== 204) throw strange('deletion');
    return new Response(null, { status: 204 });
  }

  return [
    { GET: () => listUsers(asked), POST: create },
    { GET: get, PUT: put, PATCH: patch, DELETE: remove },
  ];
}
