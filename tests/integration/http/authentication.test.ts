import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE_NAMES } from '../../../lib/admin/files.ts';
import { needsToken, ROUTES } from '../../../lib/http/routes.ts';
import { type Call, caller, exchange, type LocalService } from '../../support/httpService.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from '../../support/issuer.ts';
import { ASKS, seenFrom } from '../../support/origins.ts';
import { serviceOn } from '../../support/service.ts';
import { smoke } from '../../support/smoke.ts';

const ALLOWED = 'https://a.example';
const OTHER = 'https://evil.example';

let issuer: TestIssuer;
let service: LocalService;
let call: Call;

beforeAll(async () => {
  issuer = await startIssuer();
  // It fails before the service reads its metadata and keys, which it would keep.
  issuer.fail(true);
  service = await serviceOn.http({
    env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE, CORS_ORIGINS: `https://b.example ${ALLOWED}` },
    options: ['--stage', 'prod'],
  });
  call = caller(service.url);
});

afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const bearer = async (claims: Record<string, unknown>) => ({ authorization: `Bearer ${await issuer.sign(claims)}` });

const readers = () => bearer({ scope: 'users:read' });
const writers = () => bearer({ scope: 'users:write' });

const pathOf = (path: string) =>
  path.replace('{id}', '7').replace('docs/{file}', 'docs/start.js').replace('{file}', PAGE_NAMES.script);
const bodyFor = (method: string) => (['POST', 'PUT', 'PATCH'].includes(method) ? { json: { name: 'Ann' } } : {});

const guarded = ROUTES.filter(needsToken);
const open = ROUTES.filter((route) => !needsToken(route));

/** Must come first: the service keeps what it has read of its issuer. */
describe('while the issuer cannot be reached', () => {
  const get = (authorization?: string) =>
    exchange(service.url, 'GET', '/api/users', { headers: authorization === undefined ? {} : { authorization } });

  test.each([undefined, 'Basic YTpi', 'abc', 'Bearer'])('a request with the credentials %j is 401', async (given) => {
    expect((await get(given)).status).toBe(401);
  });

  test('a token cannot be verified: 503, until the issuer responds again', async () => {
    const token = `Bearer ${await issuer.sign({ scope: 'users:read' })}`;
    const { status, headers, text } = await get(token);
    expect({ status, retryAfter: headers.get('retry-after'), body: JSON.parse(text) }).toEqual({
      status: 503,
      retryAfter: '1',
      body: { status: 503, message: 'Service temporarily unavailable, please try again' },
    });
    expect(service.output()).toContain(`The metadata of ${issuer.url} cannot be read`);

    issuer.fail(false);
    expect((await get(token)).status).toBe(200);
  });
});

describe('every route for users', () => {
  test.each(guarded)('$method $path without a token is 401', async ({ method, path }) => {
    const { status, headers, body } = await call(method, pathOf(path), bodyFor(method));
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(body).toEqual({ status: 401, message: 'A valid token is required' });
  });

  test.each(guarded)('$method $path with a token for all other scopes is 403', async ({ method, path, scopes }) => {
    const others = ['users:read', 'users:write', 'users:audit'].filter((scope) => scope !== scopes[0]);
    const headers = await bearer({ scope: others.join(' ') });
    const response = await call(method, pathOf(path), { ...bodyFor(method), headers });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
    expect(response.body).toEqual({ status: 403, message: 'The token lacks the scope that this needs' });
  });

  test.each(guarded)(
    '$method $path with a token for its scope succeeds, or is 404',
    async ({ method, path, scopes }) => {
      const headers = await bearer({ scope: ['openid', ...scopes].join(' ') });
      const { status } = await call(method, pathOf(path), { ...bodyFor(method), headers });
      const found = method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200;
      expect(status).toBe(path.endsWith('{id}') ? 404 : found);
    },
  );
});

describe('without a token', () => {
  test.each(open)('$method $path succeeds', async ({ method, path }) => {
    expect((await exchange(service.url, method, pathOf(path))).status).toBe(200);
  });

  test('OPTIONS is 204, an unknown path is 404, and a wrong method is 405', async () => {
    expect((await call('OPTIONS', '/api/users')).status).toBe(204);
    expect((await call('GET', '/nowhere')).status).toBe(404);
    expect((await call('DELETE', '/api/users')).status).toBe(405);
  });
});

describe('a token', () => {
  test.each([
    ['is not a JSON Web Token', 'Bearer x.y.z'],
    ['has no scheme', 'abc'],
    ['has another scheme', 'Basic YTpi'],
    ['is empty', 'Bearer '],
  ])('that %s is 401', async (_, authorization) => {
    const { status, headers } = await call('GET', '/api/users', { headers: { authorization } });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  test('that has expired is 401', async () => {
    const headers = await bearer({ scope: 'users:read', exp: Math.floor(Date.now() / 1_000) - 60 });
    expect((await call('GET', '/api/users', { headers })).status).toBe(401);
  });

  test('for HEAD needs the scope of GET', async () => {
    expect((await call('HEAD', '/api/users', { headers: await readers() })).status).toBe(200);
    expect((await call('HEAD', '/api/users', { headers: await writers() })).status).toBe(403);
  });

  test('separates the idempotency keys of its bearer from the keys of others', async () => {
    const create = async (sub: string) => {
      const headers = { ...(await bearer({ scope: 'users:write', sub })), 'idempotency-key': 'same' };
      return (await call('POST', '/api/users', { json: { name: 'Ann' }, headers })).body as { id: number };
    };
    const [first, again, other] = [await create('ann'), await create('ann'), await create('bea')];
    expect(again.id).toBe(first.id);
    expect(other.id).not.toBe(first.id);
  });
});

describe('the name of whoever wrote', () => {
  test('is in the changes of a user and in the log, and nothing else of the token is', async () => {
    const ann = await bearer({ scope: 'users:write', sub: 'ann@issuer', email: 'secret@issuer' });
    const auditor = await bearer({ scope: 'users:audit', sub: 'auditor' });
    const { id } = (await call('POST', '/api/users', { json: { name: 'Bob' }, headers: ann })).body as { id: number };
    const program = await bearer({ scope: 'users:write', sub: undefined, client_id: 'program' });
    await call('PATCH', `/api/users/${id}`, { json: { age: 5 }, headers: program });
    await call('PUT', `/api/users/${id}`, { json: { name: 'Bea' }, headers: ann });
    await call('DELETE', `/api/users/${id}`, { headers: program });
    const { body } = await call('GET', `/api/users/${id}/changes`, { headers: auditor });
    expect((body as { by: string }[]).map(({ by }) => by)).toEqual(['program', 'ann@issuer', 'program', 'ann@issuer']);
    await expect
      .poll(() => service.output().includes('"route":"DELETE /api/users/{id}","status":204,"by":"program"'))
      .toBe(true);
    expect(service.output()).not.toContain('secret@issuer');
  });

  test('can be read only with the scope users:audit, and erased only with users:write, too', async () => {
    for (const scope of ['users:read users:write', 'users:write'])
      expect((await call('GET', '/api/users/7/changes', { headers: await bearer({ scope }) })).status).toBe(403);
    const auditor = await bearer({ scope: 'users:audit' });
    expect((await call('GET', '/api/users/changes', { headers: auditor })).status).toBe(200);
    expect((await call('GET', '/api/users/7', { headers: auditor })).status).toBe(403);
    expect((await call('DELETE', '/api/users/7/changes', { headers: auditor })).status).toBe(403);
  });
});

describe('an error of API Gateway', () => {
  test('is JSON, whatever the client prefers', async () => {
    const accept = { accept: 'application/problem+json' };
    const missing = await exchange(service.url, 'GET', '/api/users', { headers: accept });
    const lacking = await exchange(service.url, 'GET', '/api/users', { headers: { ...accept, ...(await writers()) } });
    expect([missing, lacking].map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
      [401, 'application/json; charset=utf-8'],
      [403, 'application/json; charset=utf-8'],
    ]);
  });
});

describe('the OpenAPI document', () => {
  test('names the scope that an operation needs', async () => {
    const { body } = await call('GET', '/api/openapi.json');
    expect(body).toMatchObject({
      paths: {
        '/api/users': {
          get: { security: [{ token: ['users:read'] }] },
          post: { security: [{ token: ['users:write'] }] },
        },
      },
    });
  });
});

const EXPOSED = {
  'access-control-expose-headers':
    'Accept-Patch, Allow, ETag, Link, Location, Retry-After, Server-Timing, WWW-Authenticate, X-Total-Count',
};

describe('a browser, at a stage with a list of origins,', () => {
  test('learns from a preflight what scripts from a listed origin may send', async () => {
    expect(await seenFrom(ALLOWED, service, 'OPTIONS', '/api/users/5', ASKS)).toEqual({
      status: 204,
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
      'access-control-max-age': '86400',
      ...EXPOSED,
    });
  });

  test('learns from a preflight that scripts from another origin may send nothing', async () => {
    expect(await seenFrom(OTHER, service, 'OPTIONS', '/api/users/5', ASKS)).toEqual({ status: 204 });
  });

  test('lets scripts from a listed origin read responses, and no other scripts', async () => {
    expect(await seenFrom(ALLOWED, service, 'GET', '/api/openapi.json')).toEqual({
      status: 200,
      'access-control-allow-origin': ALLOWED,
      ...EXPOSED,
    });
    expect(await seenFrom(OTHER, service, 'GET', '/api/openapi.json')).toEqual({ status: 200 });
  });

  test('lets scripts from any origin read errors of API Gateway, which have no user data', async () => {
    for (const origin of [ALLOWED, OTHER]) {
      expect(await seenFrom(origin, service, 'GET', '/api/users')).toEqual({
        status: 401,
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
      });
    }
    const { headers } = await exchange(service.url, 'GET', '/api/users');
    expect(headers.get('access-control-allow-origin')).toBe(null);
  });
});

describe('npm run smoke', () => {
  test('passes with a given token, or with a token from the issuer for client credentials', async () => {
    const token = await issuer.sign({ scope: 'users:read users:write users:audit' });
    expect(await smoke([service.url], { TOKEN: token })).toMatchObject({ code: 0 });
    const client = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'smoke', OIDC_CLIENT_SECRET: 'secret' };
    expect(await smoke([service.url], client)).toMatchObject({ code: 0 });
    expect(await smoke([service.url], { ...client, OIDC_CLIENT_SECRET: 'wrong' })).toMatchObject({
      code: 2,
      stderr: `${issuer.url}/token responded with 500\n`,
    });
  });

  test('fails without a token against a service that needs one', async () => {
    const { code, stdout } = await smoke([service.url]);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ creates a user: status is 401 instead of 201');
  });

  test('leaves no user behind when a step fails', async () => {
    const { code, stdout } = await smoke([service.url], { TOKEN: await issuer.sign({ scope: 'users:write' }) });
    expect(code).toBe(1);
    expect(stdout).toContain('✗ returns the user, or 304 to a client that has it: ');
    const left = await call('GET', '/api/users?status=smoke-test', { headers: await readers() });
    expect(left.body).toMatchObject({ totalElements: 0 });
  });
});
