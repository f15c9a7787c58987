import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { caller } from '../tests/support/httpService.ts';
import { serviceForFile } from '../tests/support/localService.ts';
import { scimCaller, TOKEN } from '../tests/support/scim.ts';
import { doorNames, findDoor } from '../tools/doors/doors.ts';
import type { Door } from './door.ts';
import { serve } from './serve.ts';

/** The doors with code that are called, before one service with a user. */
const service = await serviceForFile();
const { body: ann } = await caller(service.url)('POST', '/api/users', { json: { name: 'Ann', email: 'ann@a.org' } });
const { id } = ann as { id: number };
/** The packages of a door are its own, so its types are no part of these. */
async function start(name: string) {
  const { default: door }: { default: Door } = await import(pathToFileURL(findDoor(name).file('door.ts')).href);
  return serve(door, async () => ({ url: service.url, token: TOKEN, MAX_USERS: '9' }), 0);
}
const started = await Promise.all(['agents', 'scim'].map(start));
afterAll(() => Promise.all(started.map(({ stop }) => stop())));
const [atAgents = '', atScim = ''] = started.map(({ url }) => url);

/** Whether a door has refused a request, and has said so in its own form. */
type IsRefused = () => Promise<boolean>;

const tool =
  (name: string, args: object): IsRefused =>
  async () => {
    const headers = {
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      authorization: `Bearer ${TOKEN}`,
    };
    const params = { name, arguments: args };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const text = await (await fetch(`${atAgents}/mcp`, { method: 'POST', headers, body })).text();
    return JSON.parse(text.slice(text.indexOf('{')).trim()).result.isError === true;
  };

const call = scimCaller(atScim);
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

const resource =
  (method: string, path: string, json?: object): IsRefused =>
  async () => {
    const { status, body } = await call(method, path, json);
    return status === 400 && body.schemas[0] === 'urn:ietf:params:scim:api:messages:2.0:Error';
  };

const patch = (...Operations: object[]) =>
  resource('PATCH', `/Users/${id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });

const change = { delete: true };

type Kind = 'emptyList' | 'emptyText' | 'misspelt' | 'wrongKind';

/** The inputs that each door with code must refuse before it does anything. A new door needs a row. */
const INPUTS: Readonly<Record<string, Record<Kind, readonly IsRefused[]>>> = {
  agents: {
    emptyList: [
      tool('find_users', { filters: { id: [] } }),
      tool('preview_change', { filters: { status: [] }, change }),
    ],
    emptyText: [
      tool('find_users', { filters: { email: '' } }),
      tool('count_users', { by: '' }),
      tool('preview_change', { filters: { status: '' }, change }),
    ],
    misspelt: [
      tool('find_users', { filters: { stauts: 'new' } }),
      tool('find_users', { filtres: { status: 'new' } }),
      tool('preview_change', { filters: { id }, change: { patch: { stauts: 'new' } } }),
    ],
    wrongKind: [tool('find_users', { filters: 'status=new' }), tool('get_user', { id: [id] })],
  },
  scim: {
    emptyList: [patch(), patch({ op: 'replace', path: 'name', value: ['Bea'] })],
    emptyText: [
      resource('GET', '/Users?filter='),
      resource('POST', '/Users', { schemas: [USER], userName: '' }),
      patch({ op: '', path: 'active', value: false }),
    ],
    misspelt: [
      resource('GET', '/Users?filter=userNmae%20eq%20%22ann%22'),
      patch({ op: 'replace', path: 'name.bogus', value: 'x' }),
      patch({ op: 'replace', path: 'urn:okta:custom:1.0:User:foo', value: 'x' }),
    ],
    wrongKind: [
      resource('POST', '/Users', { schemas: [USER], userName: { value: 'bea' } }),
      resource('POST', '/Users', { schemas: [USER], userName: 'bea', name: 'Bea' }),
      patch({ op: 'replace', path: 'active', value: 'perhaps' }),
      resource('POST', '/Users', []),
    ],
  },
};

test('each door with code that is called has its wrong inputs here', () => {
  const called = doorNames().filter((name) => findDoor(name).isCoded && !findDoor(name).isFollower);
  expect(called.filter((name) => !Object.hasOwn(INPUTS, name))).toEqual([]);
});

describe.each(Object.entries(INPUTS))('the door %s', (_, kinds) => {
  test.each(Object.entries(kinds))('refuses each input of the kind %s, and changes nobody', async (__, inputs) => {
    const refused: boolean[] = [];
    for (const isRefused of inputs) refused.push(await isRefused());
    expect(refused).toEqual(inputs.map(() => true));
    expect((await caller(service.url)('GET', '/api/users')).body).toMatchObject({ content: [ann], totalElements: 1 });
  });
});
