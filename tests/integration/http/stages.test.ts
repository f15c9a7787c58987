import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, type LocalService } from '../../support/httpService.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from '../../support/issuer.ts';
import { serviceOn } from '../../support/service.ts';

const ALLOWED = 'https://a.example';
const OTHER = 'https://evil.example';

let issuer: TestIssuer;
let prod: LocalService;
let staging: LocalService;

beforeAll(async () => {
  issuer = await startIssuer();
  // It fails before the services read its metadata and keys, which they would keep.
  issuer.fail(true);
  [prod, staging] = await Promise.all([
    serviceOn.http({
      env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE, CORS_ORIGINS: `https://b.example ${ALLOWED}` },
      options: ['--stage', 'prod'],
    }),
    serviceOn.http({ env: { OIDC_ISSUER: 'none', CORS_ORIGINS: '' }, options: ['--stage', 'staging'] }),
  ]);
});

afterAll(async () => {
  await Promise.all([prod.stop(), staging.stop()]);
  await issuer.stop();
});

/** The status, and the headers that tell browsers what scripts may do. */
async function seenFrom(origin: string, { url }: LocalService, method: string, path: string, headers: object = {}) {
  const response = await exchange(url, method, path, { headers: { origin, ...headers } });
  const cors = [...response.headers].filter(([name]) => name.startsWith('access-control-'));
  return { status: response.status, ...Object.fromEntries(cors) };
}

const EXPOSED = {
  'access-control-expose-headers':
    'Accept-Patch, Allow, ETag, Link, Location, Retry-After, Server-Timing, WWW-Authenticate, X-Total-Count',
};

const ASKS = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'x-other' };

describe('a browser, at a stage with a list of origins,', () => {
  test('learns from a preflight what scripts from a listed origin may send', async () => {
    expect(await seenFrom(ALLOWED, prod, 'OPTIONS', '/api/users/5', ASKS)).toEqual({
      status: 204,
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
      'access-control-max-age': '86400',
      ...EXPOSED,
    });
  });

  test('learns from a preflight that scripts from another origin may send nothing', async () => {
    expect(await seenFrom(OTHER, prod, 'OPTIONS', '/api/users/5', ASKS)).toEqual({ status: 204 });
  });

  test('lets scripts from a listed origin read responses, and no other scripts', async () => {
    expect(await seenFrom(ALLOWED, prod, 'GET', '/api/openapi.json')).toEqual({
      status: 200,
      'access-control-allow-origin': ALLOWED,
      ...EXPOSED,
    });
    expect(await seenFrom(OTHER, prod, 'GET', '/api/openapi.json')).toEqual({ status: 200 });
  });

  test('lets scripts from any origin read errors of API Gateway, which have no user data', async () => {
    for (const origin of [ALLOWED, OTHER]) {
      expect(await seenFrom(origin, prod, 'GET', '/api/users')).toEqual({
        status: 401,
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
      });
    }
    const { headers } = await exchange(prod.url, 'GET', '/api/users');
    expect(headers.get('access-control-allow-origin')).toBe(null);
  });
});

describe('a browser, at a stage without origins,', () => {
  test.each([
    ['OPTIONS', '/api/users/5', 204],
    ['GET', '/api/users', 200],
    ['GET', '/api/users/5', 404],
    ['GET', '/nowhere', 404],
  ])('does not let scripts from other origins read %s %s', async (method, path, status) => {
    expect(await seenFrom(ALLOWED, staging, method, path, ASKS)).toEqual({ status });
  });
});

describe('while the issuer cannot be reached', () => {
  const get = (authorization?: string) =>
    exchange(prod.url, 'GET', '/api/users', { headers: authorization === undefined ? {} : { authorization } });

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
    expect(prod.output()).toContain(`The metadata of ${issuer.url} cannot be read`);

    issuer.fail(false);
    expect((await get(token)).status).toBe(200);
  });
});
