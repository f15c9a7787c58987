import { beforeAll, expect, test } from 'vitest';
import { handlerCalls } from '../../support/calls.ts';
import type { Call } from '../../support/httpService.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn, type TestService } from '../../support/service.ts';

logOfEachTest();

let service: TestService;
let call: Call;

beforeAll(async () => {
  service = await serviceOn.embedded();
  call = await handlerCalls(service);
});

/** Each test has its own country. */
const edit = (query: string, json: object, headers: Record<string, string> = {}) =>
  call('POST', `/api/users/edits?${query}`, { json, headers });

const listed = async (query: string) =>
  ((await call('GET', `/api/users?size=100&${query}`)).body as { content: object[] }).content;

test('a dry run says who matches, what becomes of some, and what it costs, and writes nothing', async () => {
  await service.users.createMany([
    { name: 'Ann', country: 'AA', status: 'active', age: 30 },
    { name: 'Bea', country: 'AA', status: 'inactive' },
    { name: 'Cem', country: 'AA' },
  ]);
  const answer = await edit('country=AA', { patch: { status: 'inactive', age: null }, dryRun: true });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      total: 3,
      examples: [
        { before: { status: 'active', age: 30 }, after: { status: 'inactive' } },
        { before: {}, after: { status: 'inactive' } },
      ],
    },
  });
  expect(await listed('country=AA&status=inactive')).toMatchObject([{ name: 'Bea' }]);
});

test('an edit changes whoever matches, and each change names it', async () => {
  const [ann, bea] = await service.users.createMany([
    { name: 'Ann', country: 'BB', status: 'active' },
    { name: 'Bea', country: 'BB', status: 'inactive' },
    { name: 'Cem', country: 'CC', status: 'active' },
  ]);
  const { status, body } = await edit('country=BB', { patch: { status: 'inactive' }, atMost: 2 });
  expect([status, body]).toEqual([
    200,
    { edit: expect.stringMatching(/^[0-9a-f]{16}$/), changed: 1, unchanged: 1, failed: [], left: 0 },
  ]);
  const { edit: name } = body as { edit: string };
  expect((await call('GET', `/api/users/${ann?.id}/changes`)).body).toMatchObject([
    { edit: name, before: { status: 'active' } },
    {},
  ]);
  expect((await call('GET', `/api/users/${bea?.id}/changes`)).body).toHaveLength(1);
  await service.fold();
  expect((await call('GET', '/api/users/changes?before=now&size=1')).body).toMatchObject({
    changes: [{ id: ann?.id, edit: name }],
  });
  // The same call, with the edit, has nothing left to do.
  await service.users.createMany([{ name: 'Dan', country: 'BB' }]);
  expect((await edit('country=BB', { patch: { status: 'inactive' }, atMost: 2, edit: name })).body).toEqual(body);
});
