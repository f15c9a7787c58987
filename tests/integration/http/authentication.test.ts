import { describe, expect, test } from 'vitest';
import { PAGE_NAMES } from '../../../admin/files.ts';
import { ROUTES } from '../../../lib/http/routes.ts';
import { OPERATIONS } from '../../../lib/openapi/operations.ts';
import { needsToken } from '../../../lib/rest/index.ts';
import { callEveryRoute } from '../../../tools/check/rehearsal/calls.ts';
import { exampleFor } from '../../support/examples.ts';
import { caller, exchange } from '../../support/httpService.ts';
import { AUDIENCE } from '../../support/issuer.ts';
import { issuerForFile, serviceForFile } from '../../support/localService.ts';
import { smoke } from '../../support/programs.ts';

const ALLOWED = 'https://a.example';
const OTHER = 'https://evil.example';

const issuer = await issuerForFile();
// It fails before the service reads its metadata and keys, which it would keep.
issuer.fail(true);
const service = await serviceForFile({
  env: {
    ...{ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE, OIDC_NAME_CLAIM: 'name' },
    CORS_ORIGINS: `https://b.example ${ALLOWED}`,
  },
  options: ['--stage', 'prod'],
});
const call = caller(service.url);

const SCOPES = ['users:read', 'users:write', 'users:audit'];

const bearer = async (scopes: readonly string[], claims: object = {}) => ({
  authorization: `Bearer ${await issuer.sign({ scope: scopes.join(' '), ...claims })}`,
});

const get = (headers: Record<string, string>) => exchange(service.url, 'GET', '/api/users', { headers });

/** Must come first: the service keeps what it has read of its issuer. */
test('while the issuer does not answer, a token is 503, and what is none is 401', async () => {
  for (const authorization of ['Basic YTpi', 'abc', 'Bearer']) expect((await get({ authorization })).status).toBe(401);
  const token = await bearer(['users:read']);
  const { status, headers, text } = await get(token);
  expect([status, headers.get('retry-after'), JSON.parse(text)]).toEqual([
    ...[503, '1'],
    { status: 503, message: 'Service temporarily unavailable, please try again' },
  ]);
  expect(service.output()).toContain(`The metadata of ${issuer.url} cannot be read`);

  issuer.fail(false);
  expect((await get(token)).status).toBe(200);
});

const pathOf = (path: string) =>
  path
    .replace('{id}', '7')
    .replace('{edit}', '0123456789abcdef')
    .replace('docs/{file}', 'docs/start.js')
    .replace('{file}', PAGE_NAMES.script);

describe('with tokens,', () => {
  test.each(ROUTES.filter(needsToken))(
    '$method $path needs one with its scopes',
    async ({ operation, method, path, scopes }) => {
      const { path: asked, json } = exampleFor(operation);
      const answer = async (headers: object) => {
        const response = await call(method, asked, { ...(json && { json }), headers: { ...headers } });
        return [
          response.status,
          response.headers.get('www-authenticate'),
          response.headers.get('content-type'),
          response.body,
        ];
      };
      // An error of API Gateway is JSON, whatever the client prefers.
      const accept = 'application/problem+json';
      const refusal = (status: number, challenge: string, message: string) => [
        status,
        challenge,
        'application/json; charset=utf-8',
        { status, message },
      ];
      expect(await answer({ accept })).toEqual(refusal(401, 'Bearer', 'A valid token is required'));
      for (const scope of scopes) {
        const others = await bearer(SCOPES.filter((other) => other !== scope));
        expect(await answer({ accept, ...others })).toEqual(
          refusal(403, 'Bearer error="insufficient_scope"', 'The token lacks the scope that this needs'),
        );
      }
      const found = Object.keys(OPERATIONS[operation].responses).filter((status) => Number(status) < 300);
      const [status] = await answer(await bearer(['openid', ...scopes]));
      // Nobody has the id: that is a 404, or an empty list.
      expect(/\{(id|edit)\}/.test(path) ? [...found, '404'] : found).toContain(String(status));
    },
  );

  test.each(ROUTES.filter((route) => !needsToken(route)))('$method $path needs none', async ({ method, path }) => {
    expect((await exchange(service.url, method, pathOf(path))).status).toBe(200);
  });

  test('a user as of a moment needs that of audits, too', async () => {
    const answer = async (scopes: string[]) =>
      (await call('GET', '/api/users/7?at=2999-01-01', { headers: await bearer(scopes) })).status;
    expect([await answer(['users:read']), await answer(['users:audit'])]).toEqual([403, 403]);
    expect(await answer(['users:read', 'users:audit'])).toBe(404);
    expect((await call('GET', '/api/users/7?at=%20', { headers: await bearer(['users:read']) })).status).toBe(404);
  });

  test('OPTIONS needs none, and neither does an unknown path or a wrong method', async () => {
    expect((await call('OPTIONS', '/api/users')).status).toBe(204);
    expect((await call('GET', '/nowhere')).status).toBe(404);
    expect((await call('DELETE', '/api/users')).status).toBe(405);
  });
});

test('each example of an endpoint succeeds with a token for it, and is refused without its scopes or a token, as the rehearsal expects', async () => {
  const account = { addressOf: async () => service.url };
  const token = (...scopes: string[]) => issuer.sign({ scope: scopes.join(' ') });
  expect(await callEveryRoute({ account, token }, 'prod')).toEqual([]);
});

test('whoever wrote is in the changes of a user, with the name that the stage asks for, and without it in the log', async () => {
  const ann = await bearer(['users:read', 'users:write'], {
    sub: 'ann@issuer',
    name: 'Ann Ś. 👩',
    email: 'secret@issuer',
  });
  const program = await bearer(['users:write'], { sub: undefined, client_id: 'program' });
  const { body: user } = await call('POST', '/api/users', { json: { name: 'Bob' }, headers: ann });
  const path = `/api/users/${(user as { id: number }).id}`;
  await call('PATCH', path, { json: { age: 5 }, headers: program });
  const edit = { patch: { country: 'Kenya' }, atMost: 1 };
  await call('POST', '/api/users/edits?name=Bob&age=5', { json: edit, headers: ann });
  const operations = [{ op: 'replace', id: (user as { id: number }).id, user: { name: 'Bea' } }];
  await call('POST', '/api/users/batch', { json: { operations }, headers: ann });
  await call('DELETE', path, { headers: program });
  const { body } = await call('GET', `${path}/changes`, { headers: await bearer(['users:audit']) });
  const [byProgram, byAnn] = [
    ['program', undefined],
    ['ann@issuer', 'Ann Ś. 👩'],
  ];
  expect((body as { by: string; byName?: string }[]).map(({ by, byName }) => [by, byName])).toEqual([
    ...[byProgram, byAnn, byAnn, byProgram, byAnn],
  ]);
  await expect
    .poll(() => service.output().includes('"route":"DELETE /api/users/{id}","status":204,"by":"program"'))
    .toBe(true);
  for (const secret of ['secret@issuer', 'Ann Ś.']) expect(service.output()).not.toContain(secret);
});

test('scripts of listed origins may read responses, also errors of API Gateway, and others nothing', async () => {
  for (const path of ['/api/openapi.json', '/api/users']) {
    const answers = [ALLOWED, OTHER].map((origin) => fetch(service.url + path, { headers: { origin } }));
    const allowed = (await Promise.all(answers)).map(({ headers }) => headers.get('access-control-allow-origin'));
    expect(allowed).toEqual([ALLOWED, null]);
  }
  const { headers } = await get({ origin: ALLOWED });
  expect(headers.get('access-control-expose-headers')).toBe('Retry-After, WWW-Authenticate');
  expect((await get({})).headers.has('access-control-allow-origin')).toBe(false);
});

test('npm run smoke passes with a given token, or one from the issuer for client credentials, and leaves no user behind', async () => {
  const TOKEN = await issuer.sign({ scope: SCOPES.join(' ') });
  // Nothing of this version is left out.
  const whole = { code: 0, stdout: expect.not.stringContaining('–'), stderr: '' };
  expect(await smoke([`${service.url}/`], { TOKEN })).toMatchObject(whole);
  const left = await call('GET', '/api/users?status=smoke-test', { headers: await bearer(['users:read']) });
  expect(left.body).toMatchObject({ totalElements: 0 });
  const client = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'smoke', OIDC_CLIENT_SECRET: 'secret' };
  expect(await smoke([service.url], client)).toMatchObject({ code: 0 });
  const narrow = await smoke([service.url], { ...client, OIDC_CLIENT_SCOPE: 'users:read' });
  expect(narrow).toMatchObject({ code: 1, stdout: expect.stringContaining('status is 403 instead of 201') });
  expect(await smoke([service.url], { ...client, OIDC_CLIENT_SECRET: 'wrong' })).toMatchObject({
    code: 2,
    stderr: `${issuer.url}/token responded with 500\n`,
  });
});
