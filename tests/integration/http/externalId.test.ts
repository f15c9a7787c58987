import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUser } from '../../../lib/users/database.ts';
import type { UserFields } from '../../../lib/users/user.ts';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

const TIMES = Number(process.env.TIMES ?? 1);

logOfEachTest();

const call = await handlerCalls();

const ann = { name: 'Ann', externalId: 'auth0|1' };

/** Each test has its own external id. */
const put = (externalId: string, json: object, headers: Record<string, string> = {}) =>
  call('PUT', `/api/users?externalId=${encodeURIComponent(externalId)}`, { json, headers });

test('a PUT by external id creates the user, then replaces it, and writes nothing if that changes nothing', async () => {
  const created = await put('auth0|1', { name: 'Ann', age: 30 });
  const { id } = created.body as { id: number };
  expect([created.status, created.headers.get('location'), created.headers.get('etag')]).toEqual([
    ...[201, `/api/users/${id}`, '"1"'],
  ]);
  const replaced = await put('auth0|1', ann);
  expect(replaced).toMatchObject({ status: 200, body: { ...ann, id } });
  expect(replaced.body).not.toHaveProperty('age');
  const again = await put('auth0|1', { name: 'Ann' });
  expect([again.status, again.headers.get('etag')]).toEqual([200, replaced.headers.get('etag')]);
  expect((await call('GET', '/api/users?externalId=auth0%7C1')).body).toMatchObject({ content: [{ id }] });
});

test('a PUT by external id keeps its preconditions', async () => {
  const statusOf = async (headers: Record<string, string>) => (await put('auth0|2', { name: 'Bea' }, headers)).status;
  expect(await statusOf({ 'if-match': '*' })).toBe(412);
  expect(await statusOf({ 'if-none-match': '*' })).toBe(201);
  expect(await statusOf({ 'if-none-match': '*' })).toBe(412);
  expect(await statusOf({ 'if-match': '"7"' })).toBe(412);
  expect(await statusOf({ 'if-match': '"1"' })).toBe(200);
});

test.each([
  ['', {}, 'externalId is required: the external id of the user'],
  ['?externalId=%20', {}, 'externalId is required: the external id of the user'],
  ['?externalId=a&externalId=b', {}, 'externalId must be given only once'],
  ['?externalId=a', { externalId: 'b' }, 'The user must have the externalId that is asked for, or none'],
  [`?externalId=${'x'.repeat(256)}`, {}, 'externalId must be at most 255 characters long'],
  ['?id=7', {}, 'Unknown parameter id'],
])('a PUT to /api/users%s with %j is refused', async (query, more, message) => {
  const { status, body } = await call('PUT', `/api/users${query}`, { json: { name: 'Ann', ...more } });
  expect([status, body]).toEqual([400, { status: 400, message: expect.stringContaining(message) }]);
});

test('an external id that a user has is changed only with If-Match, and one that is another user’s not at all', async () => {
  await call('POST', '/api/users', { json: { name: 'Cem', externalId: 'auth0|3' } });
  const { body } = await call('POST', '/api/users', { json: { name: 'Dan' } });
  const path = `/api/users/${(body as { id: number }).id}`;
  const send = async (method: string, json: object, headers = {}) => {
    const { status, body: answer } = await call(method, path, { json, headers });
    return status === 200 ? status : [status, (answer as { message: string }).message];
  };
  expect(await send('PATCH', { externalId: 'auth0|3' })).toEqual([409, 'There is a user with this externalId']);
  expect(await send('PATCH', { externalId: 'auth0|4' })).toBe(200);
  expect(await send('PUT', { name: 'Dan', externalId: 'auth0|4', age: 7 })).toBe(200);
  const refused = [412, 'externalId is changed only with If-Match: the ETag of the user is "3"'];
  for (const [method, json] of [
    ['PATCH', { externalId: 'auth0|5' }],
    ['PATCH', { externalId: null }],
    ['PUT', { name: 'Dan' }],
  ] as const)
    expect(await send(method, json)).toEqual(refused);
  expect(await send('PATCH', { externalId: 'auth0|5' }, { 'if-match': '"3"' })).toBe(200);
  expect(await put('auth0|4', { name: 'Eve' })).toMatchObject({ status: 201 });
});

test('of PUTs by one external id beside other writers one creates, all others replace, and nobody else has it', async () => {
  const step = fc.record({
    does: fc.constantFrom('upsert', 'upsert', 'upsert', 'create', 'leave', 'delete'),
    age: fc.nat(2),
  });
  const results = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), fc.scheduler(), async (steps, scheduler) => {
      const service = serviceOn.memory({});
      const { users } = service.processOf(async (_, execute) => scheduler.schedule(Promise.resolve()).then(execute));
      const { id } = await service.users.create({ name: 'First', ...(steps.length % 2 === 0 && ann) });
      const run = async ({ does, age }: (typeof steps)[number]): Promise<string> => {
        const fields: UserFields = { name: 'Ann', age, externalId: 'auth0|1' };
        if (does === 'upsert') return (await users.upsert('auth0|1', fields, () => {})).isNew ? 'created' : 'replaced';
        if (does === 'create') await users.create(fields);
        else if (does === 'leave') await users.update(id, () => ({ name: 'First' }));
        else await users.delete(id);
        return 'written';
      };
      const outcomes = steps.map((each) =>
        run(each).catch(({ code }) => {
          // Only others meet a user who is there, or is gone.
          expect(each.does).not.toBe('upsert');
          return code as string;
        }),
      );
      for (const outcome of await scheduler.waitFor(Promise.all(outcomes))) results.add(outcome);
      const holders = service.store
        .itemsOf('users')
        .map(toUser)
        .filter(({ externalId }) => externalId);
      expect(holders.length).toBeLessThanOrEqual(1);
      // The state that is left lets the next one write.
      await service.users.upsert('auth0|1', ann, () => {});
    }),
    { numRuns: 150 * TIMES },
  );
  expect([...results].toSorted()).toEqual(['created', 'external-id-taken', 'replaced', 'user-not-found', 'written']);
});
