import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGate } from '../support/gate.ts';
import { type Call, caller, createOver, type LocalService } from '../support/httpService.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from '../support/issuer.ts';
import { moving } from '../support/moving.ts';
import { serviceOn } from '../support/service.ts';

let service: LocalService;
let source: Call;

beforeAll(async () => {
  service = await serviceOn.http();
  source = caller(service.url);
});

afterAll(async () => {
  await service.stop();
});

const create = async (call: Call, fields: object) => (await createOver(call)(fields)).id;

describe('a service that needs tokens and keeps no changes', () => {
  let closed: LocalService;
  let issuer: TestIssuer;

  beforeAll(async () => {
    issuer = await startIssuer();
    const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE };
    closed = await serviceOn.http({ env, options: ['--param', 'historyDays=0'] });
  });

  afterAll(async () => {
    await closed.stop();
    await issuer.stop();
  });

  test.each([
    ['', 'The service asks for a token: give it one with --token\n'],
    ['users:write', 'The service responded with 403: '],
    ['users:read users:write', 'The service responded with 403: '],
    ['users:read users:write users:audit', 'The service responded with 404: Changes are not kept here: use --from'],
  ])('brings nobody back with a token for the scope "%s"', async (scope, sentence) => {
    const token = scope === '' ? [] : ['--token', await issuer.sign({ scope })];
    const refused = await moving('restoreUser', ['--url', closed.url, '--id', '7', ...token]);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });

  test('gives a user to another service, and takes one', async () => {
    const token = await issuer.sign({ scope: 'users:read users:write' });
    const id = await create(source, { name: 'Di', lastName: '' });
    const { body } = await source('GET', `/api/users/${id}`);
    const take = (wanted: number) => {
      const options = ['--url', closed.url, '--token', token, '--id', `${wanted}`, '--from', service.url];
      return moving('restoreUser', options);
    };
    const taken = await take(id);
    expect([taken.code, JSON.parse(taken.stdout)]).toEqual([0, body]);
    expect(await take(id)).toMatchObject({ code: 1, stderr: `User ${id} is there: nothing was done\n` });
    expect(await take(7)).toEqual({ code: 1, stdout: '', stderr: 'The other service has no user 7\n' });
    await source('DELETE', `/api/users/${id}`);
    const here = ['--url', service.url, '--id', `${id}`, '--from', closed.url];
    expect(await moving('restoreUser', here)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from-token'),
    });
    expect((await moving('restoreUser', [...here, '--from-token', token])).code).toBe(0);
    expect((await source('GET', `/api/users/${id}`)).body).toEqual(body);
  });
});

/** After the user, who is gone, and the changes. */
const FIRST_PUT = 3;

describe('npm run restore-user', () => {
  const restore = (...options: string[]) => moving('restoreUser', ['--url', service.url, ...options]);

  test('brings a user back as it was when it was deleted, with its id and createdAt', async () => {
    const id = await create(source, { name: '=Ann', age: 1, country: 'DE' });
    await source('PATCH', `/api/users/${id}`, { json: { age: 2, country: null } });
    const { body } = await source('GET', `/api/users/${id}`);
    await source('DELETE', `/api/users/${id}`);
    const { code, stdout } = await restore('--id', `${id}`);
    expect([code, JSON.parse(stdout)]).toEqual([0, body]);
    expect((await source('GET', `/api/users/${id}`)).body).toEqual(body);
    const stderr = `User ${id} is there: nothing was done\n`;
    expect(await restore('--id', `${id}`)).toEqual({ code: 1, stdout: '', stderr });
  });

  test.each([
    { title: 'brings a user back, and says so, when the first answer is lost', age: 3, code: 0 },
    { title: 'says that a user is there whom somebody else has just brought back', age: 4, code: 1 },
  ])('$title', async ({ age, code }) => {
    const id = await create(source, { name: 'Eve', age: 3 });
    const { body } = await source('GET', `/api/users/${id}`);
    await source('DELETE', `/api/users/${id}`);
    const gate = await startGate(service.url, {
      async before(count) {
        if (count === FIRST_PUT && age !== 3)
          await source('PUT', `/api/users/${id}`, { json: { name: 'Eve', age }, headers: { 'if-none-match': '*' } });
      },
      fateOf: (count) => (count === FIRST_PUT ? 'lost' : undefined),
    });
    const { stdout, stderr, ...ended } = await moving('restoreUser', ['--url', gate.url, '--id', `${id}`]).finally(
      gate.close,
    );
    expect(gate.passed.map(({ request }) => request.split(' ')[0])).toEqual(['GET', 'GET', 'PUT', 'PUT', 'GET']);
    expect(ended.code).toBe(code);
    if (code === 0) expect(JSON.parse(stdout)).toEqual(body);
    else expect(stderr).toBe(`User ${id} is there: nothing was done\n`);
  });

  test('says that nothing is kept of a user who never existed or was erased', async () => {
    const id = await create(source, { name: 'Cy' });
    await source('DELETE', `/api/users/${id}`);
    await source('DELETE', `/api/users/${id}/changes`);
    for (const each of [id, 7]) {
      expect(await restore('--id', `${each}`)).toEqual({
        code: 1,
        stdout: '',
        stderr: `Nothing is kept of user ${each}: it never was, was erased, or was deleted too long ago\n`,
      });
    }
  });

  test.each([[], ['--id', '0'], ['--id', '9007199254740993']])('shows its usage for %s %s', async (...options) => {
    expect(await restore(...options)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Usage: npm run restore/),
    });
  });
});
