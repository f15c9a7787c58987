import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openIssuer, type Tokens } from '../../../admin/browser/session/oidc.ts';
import { readStored } from '../../../admin/browser/session/stored.ts';

const ISSUER = 'https://id.example';
const PAGE = 'https://users.example/prod/api/admin';

const issuer = openIssuer(
  {
    clientId: 'admin',
    scopes: ['api/users:read', 'api/users:write'],
    scopePrefix: 'api/',
    audience: 'users',
    metadata: {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize?policy=people`,
      token_endpoint: `${ISSUER}/token`,
      id_token_signing_alg_values_supported: ['ES256'],
    },
  },
  PAGE,
  readStored,
);

const nowS = () => Math.floor(Date.now() / 1_000);

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** An ID token. Its signature is not looked at: it comes from the issuer itself. */
const idToken = (claims: object, alg = 'ES256'): string => {
  const usual = { iss: ISSUER, aud: 'admin', sub: 'u1', iat: nowS(), exp: nowS() + 300 };
  return `${encoded({ alg })}.${encoded({ ...usual, ...claims })}.c2ln`;
};

const TOKENS = { access_token: 'a1', token_type: 'Bearer', expires_in: 600, refresh_token: 'r1' };

/** The requests to the issuer. */
let asked: URLSearchParams[];

function answer(body: object, status = 200): void {
  const fetch = async (_: string, { body: parameters }: RequestInit) => {
    asked.push(new URLSearchParams(String(parameters)));
    return Response.json(body, { status });
  };
  vi.stubGlobal('fetch', fetch);
}

beforeEach(() => {
  asked = [];
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Begins a sign-in. */
async function begin() {
  const query = new URL(await issuer.begin('#status=active')).searchParams;
  const [state, nonce] = [query.get('state') ?? '', query.get('nonce') ?? ''];
  return { query, nonce, back: new URL(`${PAGE}?${new URLSearchParams({ code: 'c1', state })}`) };
}

describe('a sign-in', () => {
  test('asks for a code that is bound to this tab, and for the rights of the page', async () => {
    const { query } = await begin();
    const { state, nonce, code_challenge, ...others } = Object.fromEntries(query);
    expect(others).toEqual({
      policy: 'people',
      response_type: 'code',
      client_id: 'admin',
      redirect_uri: PAGE,
      scope: 'openid profile email api/users:read api/users:write',
      audience: 'users',
      code_challenge_method: 'S256',
    });
    for (const secret of [state, nonce, code_challenge]) expect(secret).toMatch(/^[\w-]{43}$/);
  });

  test('ends with tokens, the name of the user, and the view of before, once', async () => {
    const { back, nonce } = await begin();
    const id_token = idToken({ nonce, email: 'ann@example.org' });
    answer({ ...TOKENS, id_token });
    expect(await issuer.finish(back)).toEqual({
      view: '#status=active',
      tokens: {
        access_token: 'a1',
        refresh_token: 'r1',
        id_token,
        scope: 'openid profile email api/users:read api/users:write',
        profile: { sub: 'u1', name: 'ann@example.org' },
        expires_at: 1_800_000_600,
      },
    });
    expect(asked.map((each) => each.get('code_verifier')?.length)).toEqual([43]);
    await expect(issuer.finish(back)).rejects.toThrow('unexpected "state"');
  });

  test.each([
    ['of another sign-in', { nonce: 'other' }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['for another client', { aud: 'other' }],
    ['of an hour ago', { exp: 1_800_000_000 - 3_600 }],
  ])('takes no ID token %s', async (_, claims) => {
    const { back, nonce } = await begin();
    answer({ ...TOKENS, id_token: idToken({ nonce, ...claims }) });
    await expect(issuer.finish(back)).rejects.toThrow();
  });

  test('takes an ID token without a signature from nobody, and no answer without an ID token', async () => {
    const first = await begin();
    answer({ ...TOKENS, id_token: idToken({ nonce: first.nonce }, 'none') });
    await expect(issuer.finish(first.back)).rejects.toThrow('"alg"');
    const second = await begin();
    answer(TOKENS);
    await expect(issuer.finish(second.back)).rejects.toThrow('id_token');
  });

  test('takes no code that another tab or page has asked for', async () => {
    answer(TOKENS);
    await begin();
    for (const query of ['code=c1', 'code=c1&state=other', 'code=c1&iss=https://other.example']) {
      await expect(issuer.finish(new URL(`${PAGE}?${query}`))).rejects.toThrow();
    }
    expect(asked).toEqual([]);
  });

  test.each(['{"state":', 'null', '{"state":5}'])('is none where what was stored of it is %s', async (text) => {
    const { back } = await begin();
    sessionStorage.setItem('sign-in', text);
    await expect(issuer.finish(back)).rejects.toThrow('unexpected "state"');
    expect(sessionStorage.getItem('sign-in')).toBeNull();
  });

  test('says in the words of the issuer why it fails', async () => {
    const { back } = await begin();
    const refused = new URL(back);
    refused.searchParams.set('error', 'access_denied');
    refused.searchParams.set('error_description', 'Your account is locked');
    await expect(issuer.finish(refused)).rejects.toThrow('Your account is locked');
    const again = await begin();
    answer({ error: 'invalid_grant' }, 400);
    await expect(issuer.finish(again.back)).rejects.toThrow('invalid_grant');
  });
});

describe('a renewal', () => {
  const NOW: Tokens = {
    access_token: 'a1',
    refresh_token: 'r1',
    id_token: 'i1',
    scope: 'openid api/users:read',
    profile: { sub: 'u1', name: 'Ann' },
    expires_at: 1_800_000_000,
  };

  test('keeps what the answer does not have', async () => {
    answer({ access_token: 'a2', token_type: 'bearer', expires_in: 60 });
    expect(await issuer.renew(NOW)).toEqual({ ...NOW, access_token: 'a2', expires_at: 1_800_000_060 });
    expect(asked.map((each) => Object.fromEntries(each))).toEqual([
      { grant_type: 'refresh_token', refresh_token: 'r1', scope: 'openid api/users:read', client_id: 'admin' },
    ]);
    const fresh = { refresh_token: 'r2', id_token: idToken({}), scope: 'openid' };
    answer({ ...TOKENS, ...fresh });
    expect(await issuer.renew(NOW)).toEqual({ ...NOW, ...fresh, expires_at: 1_800_000_600 });
  });

  test('lasts until the service refuses it where the issuer does not say how long, and a later one lasts longer', async () => {
    answer({ access_token: 'a2', token_type: 'bearer' });
    const { expires_at } = await issuer.renew(NOW);
    expect(expires_at).toBe(1_800_000_000 + 3_153_600_000);
    vi.setSystemTime(1_800_000_001_000);
    expect((await issuer.renew(NOW)).expires_at).toBe(expires_at + 1);
  });

  test('takes no tokens of another user, and none if the issuer says no', async () => {
    answer({ ...TOKENS, id_token: idToken({ sub: 'u2' }) });
    await expect(issuer.renew(NOW)).rejects.toThrow('another user');
    answer({ error: 'invalid_grant' }, 400);
    await expect(issuer.renew(NOW)).rejects.toThrow();
  });
});
