import { generateKeyPair } from 'jose';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ServiceError } from '../../../../lib/ground/index.ts';
import { createTokenVerifier } from '../../../../lib/rest/tokens/tokens.ts';
import { AUDIENCE, startIssuer } from '../../../support/issuer.ts';
import { issuerForFile } from '../../../support/localService.ts';
import { startSwallowingProxy } from '../../../support/servers.ts';

const issuer = await issuerForFile();

afterEach(() => {
  vi.useRealTimers();
});

const verifier = (rules: object = {}) =>
  createTokenVerifier({ issuer: issuer.url, audiences: [AUDIENCE], scopePrefix: '', ...rules });

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

const INVALID = { name: 'InvalidToken' };

describe('a token', () => {
  test('gives its bearer, its scopes, and its expiry with five seconds for clocks that differ', async () => {
    const exp = secondsFromNow(60);
    const caller = await verifier()(await issuer.sign({ sub: 'ann', exp, scope: 'users:read openid' }));
    expect(caller).toEqual({ subject: 'ann', scopes: new Set(['users:read', 'openid']), expires: exp + 5 });
  });

  test('of an issuer whose scopes have a prefix gives only these, without it', async () => {
    const token = await issuer.sign({ scope: 'api/users:read users:write', scp: ['api/users:audit'] });
    const { scopes } = await verifier({ scopePrefix: 'api/' })(token);
    expect(scopes).toEqual(new Set(['users:read', 'users:audit']));
  });

  test.each([
    ['Ann Wiśniewska 👩', 'Ann Wiśniewska 👩'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ...['x'.repeat(201), 'Ann\nLee', ' \u200b', '', '\ud800', ['Ann'], undefined].map((none) => [none, undefined]),
  ])('gives the name %j in the claim of the stage, if it can be shown', async (given, name) => {
    const claim = 'https://example.com/name';
    const token = await issuer.sign({ sub: 'ann', name: 'Other', [claim]: given });
    const caller = await verifier({ nameClaim: claim })(token);
    expect([caller.subject, caller.name]).toEqual(['ann', name]);
    for (const nameClaim of [undefined, 'toString', 'exp'])
      expect(await verifier({ nameClaim })(token)).not.toHaveProperty('name', expect.anything());
  });

  test('of Entra, which asks for scopes with a prefix, gives them without it, to the page and to programs', async () => {
    const verify = verifier({ scopePrefix: 'api://app/' });
    const ofPage = { scope: undefined, scp: 'users:read users:write', roles: ['users:read'] };
    const ofProgram = { scope: undefined, roles: ['users:audit'] };
    expect((await verify(await issuer.sign(ofPage))).scopes).toEqual(new Set(['users:read']));
    expect((await verify(await issuer.sign(ofProgram))).scopes).toEqual(new Set(['users:audit']));
  });

  test.each([
    [{ aud: ['other', AUDIENCE] }, 'someone'],
    [{ aud: undefined, client_id: AUDIENCE }, 'someone'],
    [{ sub: undefined, client_id: 'program' }, 'program'],
    [{ sub: 'x'.repeat(255), client_id: 'program' }, 'x'.repeat(255)],
  ])('with %j is accepted, from a person or else from a program', async (claims, subject) => {
    expect(await verifier()(await issuer.sign(claims))).toMatchObject({ subject });
  });

  test.each([
    ['another audience', { aud: 'other', client_id: AUDIENCE }],
    ['another issuer', { iss: 'https://other.example' }],
    ['no audience and no client', { aud: undefined }],
    ['no bearer', { sub: undefined }],
    ['an empty bearer', { sub: '' }],
    ['a bearer of more than 255 characters', { sub: 'x'.repeat(256) }],
    ['no expiry', { exp: undefined }],
    ['an expiry in the past', { exp: secondsFromNow(-60) }],
    ['an expiry that is a text', { exp: '4000000000' }],
    ['an expiry in more than a thousand years', { exp: secondsFromNow(1_001 * 365.25 * 86_400) }],
    ['a start in the future', { nbf: secondsFromNow(600) }],
    ['the events of a logout', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, scope: 'a' }],
    ['the nonce of an identity token', { nonce: 'n', scope: 'users:read', roles: ['users:read'] }],
    ['the hash of an access token, which an identity token has', { at_hash: 'h' }],
    ...['ID', 'Refresh', 'Offline', 'Logout', 'Serialized-ID', 'dpop', '', ' Bearer', null, 5, ['Bearer']].map(
      (typ) => [
        `${JSON.stringify(typ)} as the kind that Keycloak names`,
        { typ, scope: 'users:read', scp: 'users:read' },
      ],
    ),
    ...['id', 'refresh', null].map((use) => [
      `${JSON.stringify(use)} as the kind that Amazon Cognito names`,
      { token_use: use, scope: 'users:read' },
    ]),
  ] as [string, Record<string, unknown>][])('is refused with %s', async (_, claims) => {
    await expect(verifier()(await issuer.sign(claims))).rejects.toMatchObject(INVALID);
  });

  test.each([
    [{ scope: ['users:read', 7, ['users:write']], scp: 'users:audit' }, ['users:read', 'users:audit']],
    [{ scope: { 'users:read': true }, roles: 7, scp: [{ toString: 'users:read' }] }, []],
    [{ scope: '  users:read  users:READ users:writes' }, ['users:read']],
  ])('with %j has only scopes that are texts', async (claims, held) => {
    const { scopes } = await verifier()(await issuer.sign(claims));
    expect([...scopes].filter((scope) => /^users:(read|write|audit)$/.test(scope))).toEqual(held);
  });

  const NO_SCOPE = { scope: undefined };

  // As their issuers document them.
  test.each<[string, string, Record<string, unknown>, string]>([
    ['Amazon Cognito', '', { aud: undefined, client_id: AUDIENCE, token_use: 'access', scope: 'a' }, 'a'],
    ['Auth0', 'JWT', { azp: 'c', scope: 'openid a', permissions: ['b'] }, 'openid a'],
    ['Auth0, or another issuer by RFC 9068', 'at+jwt', { scope: 'a', nonce: 'n' }, 'a'],
    ['Okta', '', { ...NO_SCOPE, scp: ['a'], cid: 'c' }, 'a'],
    ['Entra for an app and a person', 'JWT', { ...NO_SCOPE, scp: 'a b', ver: '2.0' }, 'a b'],
    ['Entra for an app and a person with roles', 'JWT', { ...NO_SCOPE, scp: 'a b', roles: ['b', 'c'] }, 'b'],
    ['Entra for a program', 'JWT', { ...NO_SCOPE, roles: ['a', 'b'], idtyp: 'app' }, 'a b'],
    ['Azure AD B2C', 'JWT', { ...NO_SCOPE, scp: 'a', nonce: 'n', azp: 'c' }, 'a'],
    ['Keycloak', 'JWT', { typ: 'Bearer', scope: 'a', realm_access: { roles: ['b'] } }, 'a'],
    ['Keycloak before version 25', 'JWT', { typ: 'Bearer', scope: 'a', nonce: 'n' }, 'a'],
    ['an issuer with scopes and other roles', 'JWT', { scope: 'a', roles: ['b'] }, ''],
    ['an issuer with roles and no scope', '', { scope: '', roles: ['a'] }, ''],
    ['an issuer with scopes and null as roles', '', { scope: 'a', roles: null }, ''],
  ])('of %s allows what both the app and the person may do', async (_, typ, claims, scopes) => {
    const caller = await verifier()(await issuer.sign(claims, typ === '' ? {} : { typ }));
    expect([...caller.scopes].join(' ')).toBe(scopes);
  });

  test.each(['JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/jwt', 'Bearer'])(
    'of the type %s is taken, whether its header or its claims say so',
    async (typ) => {
      for (const token of [await issuer.sign({}, { typ }), await issuer.sign({ typ })])
        expect(await verifier()(token)).toMatchObject({ subject: 'someone' });
    },
  );

  test.each([
    'Refresh',
    'Offline',
    'Logout',
    'ID',
    'logout+jwt',
    'secevent+jwt',
    'dpop+jwt',
    'JOSE',
    '',
    'JWT\n',
    'text/jwt',
    'at+at+jwt',
    null,
    5,
    ['JWT'],
  ])('of the type %j is refused', async (typ) => {
    await expect(verifier()(await issuer.sign({}, { typ }))).rejects.toMatchObject(INVALID);
  });

  test.each(['null', '[]', '"users:read"', '5', '', '{', '[{"scope":"users:read"}]'])(
    'whose claims are %j is refused',
    async (text) => {
      await expect(verifier()(await issuer.signText(text))).rejects.toMatchObject(INVALID);
    },
  );

  test('with an expiry that JSON can write and JavaScript cannot hold is refused', async () => {
    const text = JSON.stringify({ iss: issuer.url, aud: AUDIENCE, sub: 'someone', exp: 0 });
    const signed = await issuer.signText(text.replace('"exp":0', '"exp":1e999'));
    await expect(verifier()(signed)).rejects.toMatchObject(INVALID);
  });

  const headed = (header: unknown) => `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.e30`;

  test.each([
    ...['', 'x', 'a.b.c', 'é.é.é', '.'.repeat(10_000), headed(null), headed({ alg: 'none' })],
    ...[headed({ alg: 'HS256', kid: 'test-key' }), headed({ alg: 'ES256', kid: 5, crit: ['x'] })],
  ])('is refused when it is %j', async (token) => {
    await expect(verifier()(token)).rejects.toMatchObject(INVALID);
  });

  test('is refused when its claims were changed, or another key has signed it under any name', async () => {
    const [head, , signature] = (await issuer.sign({ scope: 'users:read' })).split('.');
    const forged = Buffer.from(JSON.stringify({ scope: 'users:write' })).toString('base64url');
    const { privateKey: key } = await generateKeyPair('ES256');
    const signed = await Promise.all(['test-key', 'other-key'].map((kid) => issuer.sign({}, { key, kid })));
    for (const token of [`${head}.${forged}.${signature}`, ...signed]) {
      await expect(verifier()(token)).rejects.toMatchObject(INVALID);
    }
  });
});

async function issuerWith(options: Parameters<typeof startIssuer>[0] = {}) {
  const started = await startIssuer(options);
  onTestFinished(() => started.stop());
  return { ...started, verify: verifier({ issuer: started.url }) };
}

const METADATA_AND_KEYS = ['/.well-known/openid-configuration', '/keys'];

describe('the keys of an issuer', () => {
  test('that are unusable make their tokens invalid, and are not fetched again for each token', async () => {
    const broken = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'broken', alg: 'ES256' };
    const { verify, sign, requests } = await issuerWith({ moreKeys: [broken] });
    for (let n = 0; n < 3; n++) {
      await expect(verify(await sign({}, { kid: 'broken' }))).rejects.toMatchObject(INVALID);
    }
    expect(requests).toEqual(METADATA_AND_KEYS);
  });

  test('are read again for a token that names a new one, five seconds later at the earliest', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const { verify, sign, rotate, requests } = await issuerWith();
    await verify(await sign());
    await rotate('next-key');
    const token = await sign();
    vi.setSystemTime(start + 4_900);
    await expect(verify(token)).rejects.toMatchObject(INVALID);
    vi.setSystemTime(start + 6_000);
    expect(await verify(token)).toMatchObject({ subject: 'someone' });
    expect(requests.filter((path) => path === '/keys')).toHaveLength(2);
  });
});

describe('an issuer', () => {
  test.each([
    ['its keys at a URL of another scheme than its own or https', { jwks_uri: 'ftp://127.0.0.1/keys' }],
    ['the metadata of another issuer', { issuer: 'https://other.example' }],
  ])('with %s is not trusted', async (_, metadata) => {
    const { verify, sign } = await issuerWith({ metadata });
    await expect(verify(await sign())).rejects.toMatchObject({ status: 503 });
  });

  test('gets one request for its metadata and one for its keys, however many tokens there are', async () => {
    const verify = verifier({ issuer: `${issuer.url}/` });
    issuer.requests.length = 0;
    for (let n = 0; n < 2; n++) await verify(await issuer.sign());
    expect(issuer.requests).toEqual(METADATA_AND_KEYS);
  });

  test('that fails or cannot be reached makes the service unavailable, not the token invalid', async () => {
    const verify = verifier();
    const token = await issuer.sign();
    issuer.fail(true);
    const failure = await verify(token).catch((error: unknown) => error);
    issuer.fail(false);
    expect(failure).toBeInstanceOf(ServiceError);
    // The log shows the message of a cause only if it is a ServiceError.
    const message = `${issuer.url}/.well-known/openid-configuration responded with 500`;
    expect(failure).toMatchObject({ status: 503, cause: { name: 'ServiceError', message } });
    expect(await verify(token)).toMatchObject({ subject: 'someone' });
    await expect(verifier({ issuer: 'http://127.0.0.1:1' })(token)).rejects.toMatchObject({ status: 503 });
  });
});

test.each([
  // A try on one that was kept would wait in vain, and the next one has a connection for two requests.
  ['answers at once where they were kept while the container was frozen, over a new one for each request', 0, 2],
  ['answers at the second try where a new one is dropped', 1, 3],
])('an issuer behind connections that are dropped without a word %s', async (_, next, connections) => {
  const metadata = {};
  const { url, sign, stop } = await startIssuer({ metadata });
  const proxy = await startSwallowingProxy(url);
  onTestFinished(async () => {
    proxy.stop();
    await stop();
  });
  Object.assign(metadata, { issuer: proxy.url, jwks_uri: `${proxy.url}/keys` });
  const token = await sign({ iss: proxy.url });
  await verifier({ issuer: proxy.url })(token);
  proxy.swallow(next);
  const before = proxy.connections();
  expect(await verifier({ issuer: proxy.url })(token)).toMatchObject({ subject: 'someone' });
  expect(proxy.connections() - before).toBeGreaterThanOrEqual(connections);
});
