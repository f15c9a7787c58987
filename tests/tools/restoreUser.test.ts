import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
    ['users:read users:write', 'The service responded with 403: '],
    ['users:read users:write users:audit', 'The service responded with 404: Changes are not kept here'],
  ])('brings nobody back with a token for the scope "%s"', async (scope, sentence) => {
    const token = scope === '' ? [] : ['--token', await issuer.sign({ scope })];
    const refused = await moving('restoreUser', ['--url', closed.url, '--id', '7', ...token]);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });
});

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
