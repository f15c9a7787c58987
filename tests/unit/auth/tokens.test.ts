import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTokenVerifier } from '../../../lib/auth/tokens.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from '../../support/issuer.ts';

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await startIssuer();
});

afterAll(() => issuer.stop());

const verifier = (rules: object = {}) =>
  createTokenVerifier({ issuer: issuer.url, audiences: [AUDIENCE], scopePrefix: '', ...rules });

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

const scopesOf = async (claims: Record<string, unknown>, rules: object = {}) => [
  ...(await verifier(rules)(await issuer.sign(claims))).scopes,
];

describe('a token', () => {
  test('gives its bearer, its scopes, and its expiry with five seconds for clocks that differ', async () => {
    const exp = secondsFromNow(60);
    const caller = await verifier()(await issuer.sign({ sub: 'ann', exp, scope: 'users:read openid' }));
    expect(caller).toEqual({ subject: 'ann', scopes: new Set(['users:read', 'openid']), expires: exp + 5 });
  });

  test.each([
    ['a text in scope', { scope: 'users:read users:write' }, {}, ['users:read', 'users:write']],
    ['a text in scp', { scp: 'users:read', scope: undefined }, {}, ['users:read']],
    ['a list in scp', { scp: ['users:read', 'users:write'], scope: undefined }, {}, ['users:read', 'users:write']],
    ['names with a prefix', { scope: 'api/users:read users:write' }, { scopePrefix: 'api/' }, ['users:read']],
    ['a list in roles', { roles: ['users:write'], scope: undefined }, {}, ['users:write']],
    ['no claim', { scope: undefined }, {}, []],
    ['a number', { scope: 5 }, {}, []],
    ['an object that cannot be a text', { scope: [{ toString: 1 }, 'users:read'] }, {}, ['users:read']],
    ['a list in a list', { scope: [['users:read']] }, {}, []],
    ['a text in a list, which is one name', { scope: ['users:read users:write'] }, {}, ['users:read users:write']],
  ])('with %s gives exactly the scopes that it names', async (_, claims, rules, expected) => {
    expect(await scopesOf(claims, rules)).toEqual(expected);
  });

  test.each([
    ['one of several audiences', { aud: ['other', AUDIENCE] }],
    ['no audience and the client', { aud: undefined, client_id: AUDIENCE }],
  ])('is accepted with %s', async (_, claims) => {
    await expect(verifier()(await issuer.sign(claims))).resolves.toMatchObject({ subject: 'someone' });
  });

  test.each([
    ['another audience', { aud: 'other' }],
    ['another audience and the client', { aud: 'other', client_id: AUDIENCE }],
    ['no audience and no client', { aud: undefined }],
    ['another issuer', { iss: 'https://other.example' }],
    ['no bearer', { sub: undefined }],
    ['an empty bearer', { sub: '' }],
    ['a bearer that is not a text', { sub: { toString: 'x' } }],
    ['a bearer of more than 255 characters', { sub: 'x'.repeat(256) }],
    ['an audience in a list in a list', { aud: [[AUDIENCE]] }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is a text', { exp: '99999999999' }],
    ['an expiry in the past', { exp: secondsFromNow(-60) }],
    ['a start in the future', { nbf: secondsFromNow(60) }],
  ])('is refused with %s', async (_, claims) => {
    await expect(verifier()(await issuer.sign(claims))).rejects.toMatchObject({ name: 'InvalidToken' });
  });

  test.each([
    [{ sub: undefined, client_id: 'program' }, 'program'],
    [{ sub: '', azp: 'program' }, 'program'],
    [{ sub: 'person', client_id: 'program' }, 'person'],
    [{ sub: 'x'.repeat(255) }, 'x'.repeat(255)],
  ])('has a person as its subject, or else its client: %j', async (claims, subject) => {
    expect(await verifier()(await issuer.sign(claims))).toMatchObject({ subject });
  });

  test('is refused when another key has signed it, even under the name of a known key', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    for (const kid of ['test-key', 'other-key']) {
      await expect(verifier()(await issuer.sign({}, { key: privateKey, kid }))).rejects.toMatchObject({
        name: 'InvalidToken',
      });
    }
  });

  test.each([
    '',
    'x',
    'a.b.c',
    'e30.e30.',
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`,
    `${Buffer.from('{"alg":"HS256","kid":"test-key"}').toString('base64url')}.e30.e30`,
    `${Buffer.from('{"alg":"ES256","kid":5,"crit":["x"]}').toString('base64url')}.e30.e30`,
    `${Buffer.from('null').toString('base64url')}.bnVsbA.e30`,
    'é.é.é',
    '.'.repeat(10_000),
  ])('is refused when it is %j', async (token) => {
    await expect(verifier()(token)).rejects.toMatchObject({ name: 'InvalidToken' });
  });

  test('is refused when its claims were changed', async () => {
    const [head, , signature] = (await issuer.sign({ scope: 'users:read' })).split('.');
    const forged = Buffer.from(JSON.stringify({ scope: 'users:write' })).toString('base64url');
    await expect(verifier()(`${head}.${forged}.${signature}`)).rejects.toMatchObject({ name: 'InvalidToken' });
  });
});

describe('the keys of an issuer', () => {
  test('are all tried for a token that names no key', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    const other = { ...(await exportJWK(publicKey)), kid: 'other', alg: 'ES256' };
    const twoKeys = await startIssuer({ moreKeys: [other] });
    const verify = verifier({ issuer: twoKeys.url });
    await expect(verify(await twoKeys.sign({}, { kid: '' }))).resolves.toMatchObject({ subject: 'someone' });
    const { privateKey } = await generateKeyPair('ES256');
    await expect(verify(await twoKeys.sign({}, { kid: '', key: privateKey }))).rejects.toMatchObject({
      name: 'InvalidToken',
    });
    await twoKeys.stop();
  });

  test('that are unusable make their tokens invalid, and are not fetched again for each token', async () => {
    const broken = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'broken', alg: 'ES256' };
    const withBroken = await startIssuer({ moreKeys: [broken] });
    const verify = verifier({ issuer: withBroken.url });
    for (let n = 0; n < 3; n++) {
      await expect(verify(await withBroken.sign({}, { kid: 'broken' }))).rejects.toMatchObject({
        name: 'InvalidToken',
      });
    }
    expect(withBroken.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
    await withBroken.stop();
  });
});

describe('a new key of an issuer', () => {
  const START = Date.now();

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('is found when a token names it, five seconds after the keys were read at the latest', async () => {
    const rotating = await startIssuer();
    const verify = verifier({ issuer: rotating.url });
    await verify(await rotating.sign());
    await rotating.rotate('next-key');
    const token = await rotating.sign();
    vi.setSystemTime(START + 4_900);
    await expect(verify(token)).rejects.toMatchObject({ name: 'InvalidToken' });
    vi.setSystemTime(START + 6_000);
    await expect(verify(token)).resolves.toMatchObject({ subject: 'someone' });
    expect(rotating.requests.filter((path) => path === '/keys')).toHaveLength(2);
    await rotating.stop();
  });
});

describe('the issuer', () => {
  test('may not have its keys at a URL of another scheme than its own or https', async () => {
    const elsewhere = await startIssuer({ metadata: { jwks_uri: 'ftp://127.0.0.1/keys' } });
    await expect(verifier({ issuer: elsewhere.url })(await elsewhere.sign())).rejects.toMatchObject({ status: 503 });
    await elsewhere.stop();
  });

  test('gets one request for its metadata and one for its keys, however many tokens there are', async () => {
    const verify = verifier({ issuer: `${issuer.url}/` });
    issuer.requests.length = 0;
    await verify(await issuer.sign());
    await verify(await issuer.sign());
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  test('that fails makes the service unavailable, not the token invalid, until it responds again', async () => {
    const verify = verifier();
    const token = await issuer.sign();
    issuer.fail(true);
    const failure = await verify(token).catch((error: unknown) => error);
    issuer.fail(false);
    expect(failure).toBeInstanceOf(ServiceError);
    // The log shows the message of a cause only if it is a ServiceError.
    const reason = `${issuer.url}/.well-known/openid-configuration responded with 500`;
    expect(failure).toMatchObject({ status: 503, cause: { name: 'ServiceError', message: reason } });
    await expect(verify(token)).resolves.toMatchObject({ subject: 'someone' });
  });

  test('that cannot be reached makes the service unavailable', async () => {
    const verify = verifier({ issuer: 'http://127.0.0.1:1' });
    await expect(verify(await issuer.sign())).rejects.toMatchObject({ status: 503 });
  });

  test('that returns the metadata of another issuer is not trusted', async () => {
    const other = await startIssuer({ metadata: { issuer: 'https://other.example' } });
    const verify = verifier({ issuer: other.url });
    await expect(verify(await other.sign())).rejects.toMatchObject({ status: 503 });
    await other.stop();
  });
});
