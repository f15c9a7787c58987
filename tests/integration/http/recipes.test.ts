/** The recipes of docs/client.md, as a client reads them. */
import { expect, test } from 'vitest';
import { handlerCalls } from '../../support/calls.ts';
import { serviceOn } from '../../support/service.ts';

const service = await serviceOn.embedded();
const call = await handlerCalls(service);

type Members = Record<string, unknown>;

/** The patch that undoes a change: null for what only `after` has, also inside of attributes. */
function patchBack(before: Members, after: Members): Members {
  const gone = Object.keys(after).filter((name) => !(name in before));
  const attributes =
    before.attributes && after.attributes
      ? { attributes: patchBack(Object(before.attributes), Object(after.attributes)) }
      : {};
  return { ...before, ...Object.fromEntries(gone.map((name) => [name, null])), ...attributes };
}

test.each<[string, Members]>([
  ['a member that is new', { age: 34 }],
  ['members that are replaced and removed', { status: 'suspended', email: null }],
  ['attributes that are new, replaced and removed', { attributes: { team: 'red', level: 2, city: null } }],
  ['the first attributes, and the last', { attributes: null, lastName: 'Lee' }],
  ['a list', { attributes: { tags: ['vip'] } }],
])('undo one PATCH, of %s', async (_, patch) => {
  const attributes = { level: 1, city: 'Oslo', tags: ['a', 'b'] };
  const json = { name: 'Ann', status: 'active', email: 'ann@example.org', attributes };
  const { body: created } = await call('POST', '/api/users', { json });
  const path = `/api/users/${(created as { id: number }).id}`;
  const { headers } = await call('PATCH', path, { json: patch });
  const { body } = await call('GET', `${path}/changes`);
  const changes = body as { version: number; before: Members; after: Members }[];
  const change = changes.find(({ version }) => `"${version}"` === headers.get('etag'));
  const etag = (await call('GET', path)).headers.get('etag') ?? '';
  const back = await call('PATCH', path, {
    json: patchBack(change?.before ?? {}, change?.after ?? {}),
    headers: { 'if-match': etag },
  });
  expect(back.status).toBe(200);
  expect(back.body).toEqual({ ...(created as object), updatedAt: expect.any(String) });
});

test('reset without a restart: everybody is deleted by one edit, and the same users come back with their ids', async () => {
  const user = { id: 890301895272553, name: 'Ann Lee' };
  const bring = () => call('PUT', `/api/users/${user.id}`, { json: user, headers: { 'if-none-match': '*' } });
  expect((await bring()).status).toBe(201);
  const json = { delete: true, everybody: true, atMost: 1000 };
  expect(await call('POST', '/api/users/edits', { json })).toMatchObject({ status: 200, body: { left: 0 } });
  expect(await call('GET', '/api/users')).toMatchObject({ body: { totalElements: 0 } });
  expect(await bring()).toMatchObject({ status: 201, body: user });
  expect(await call('GET', '/api/users')).toMatchObject({ body: { totalElements: 1, content: [user] } });
});
