import type { APIGatewayAuthorizerResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AUDIENCE, startIssuer, type TestIssuer } from '../support/issuer.ts';

const LIST_USERS = 'arn:aws:execute-api:eu-central-1:123456789012:abc123/prod/GET/api/users';

const REFUSED = 'Unauthorized';

let issuer: TestIssuer;
let authorize: (token: string) => Promise<APIGatewayAuthorizerResult | typeof REFUSED>;

beforeAll(async () => {
  issuer = await startIssuer();
  vi.stubEnv('OIDC_ISSUER', issuer.url);
  vi.stubEnv('OIDC_AUDIENCE', AUDIENCE);
  // The authorizer reads its settings when it is loaded.
  const { handler } = await import('../../functions/authorizer.ts');
  authorize = (token) =>
    handler({ type: 'TOKEN', authorizationToken: `Bearer ${token}`, methodArn: LIST_USERS }, {} as Context).catch(
      (error: Error) => {
        if (error.message !== REFUSED) throw error;
        return REFUSED;
      },
    );
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await issuer.stop();
});

/** Names that JavaScript calls or follows if it takes a value for something other than data. */
const TRAPS = ['toString', 'valueOf', 'toJSON', 'then', 'constructor', 'length', 'startsWith', '0'];

const word = fc.constantFrom('users:read', 'users:write', AUDIENCE, '', 'openid', 'users:read openid', ' users:read ');

const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    word,
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom(0, -1, 1e300, 4_000_000_000, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...TRAPS), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const CLAIMS = 'iss sub aud client_id exp nbf iat scope scp roles token_use azp jti'.split(' ');

/** Mostly valid claims with a few odd ones: a token with only odd claims would be refused for the first of them. */
const claims = fc.dictionary(fc.constantFrom(...CLAIMS), fc.option(anyJson, { nil: undefined, freq: 5 }), {
  maxKeys: 4,
});

type Claims = Record<string, unknown>;

const nowS = () => Date.now() / 1_000;

const isMissingOr = (claim: unknown, holds: (value: number) => boolean): boolean =>
  claim === undefined || (typeof claim === 'number' && holds(claim));

const subjectOf = ({ sub, client_id: client, azp }: Claims) =>
  [sub, client, azp].find((claim) => typeof claim === 'string' && claim !== '');

function isValid(all: Claims): boolean {
  const { iss, aud, client_id: client, exp, nbf, iat } = all;
  const audiences = aud === undefined ? [client] : Array.isArray(aud) ? aud : [aud];
  return (
    iss === issuer.url &&
    audiences.includes(AUDIENCE) &&
    subjectOf(all) !== undefined &&
    typeof exp === 'number' &&
    exp > nowS() &&
    isMissingOr(nbf, (start) => start < nowS()) &&
    isMissingOr(iat, () => true)
  );
}

const reads = ({ scope, scp, roles }: Claims): boolean =>
  [scope, scp, roles].some((claim) =>
    Array.isArray(claim)
      ? claim.some((name) => name === 'users:read')
      : typeof claim === 'string' && claim.split(' ').includes('users:read'),
  );

const isAllowedToRead = ({ policyDocument }: APIGatewayAuthorizerResult): boolean =>
  policyDocument.Statement.some(
    (statement) =>
      statement.Effect === 'Allow' && 'Resource' in statement && [statement.Resource].flat().includes(LIST_USERS),
  );

test('claims of every shape are refused or read, and only texts are scopes', async () => {
  const usual = { iss: issuer.url, aud: AUDIENCE, sub: 'someone', exp: Math.floor(nowS()) + 600, scope: 'users:read' };
  const seen = { refused: 0, reading: 0, denied: 0 };
  await fc.assert(
    fc.asyncProperty(claims, async (odd) => {
      const text = JSON.stringify({ ...usual, ...odd });
      const all: Claims = JSON.parse(text);
      const outcome = await authorize(await issuer.signText(text));
      if (outcome === REFUSED) {
        seen.refused++;
        expect(isValid(all)).toBe(false);
        return;
      }
      expect(isValid(all)).toBe(true);
      expect(isAllowedToRead(outcome)).toBe(reads(all));
      expect(outcome.principalId).toBe(subjectOf(all));
      // API Gateway gets the policy as JSON.
      expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
      seen[isAllowedToRead(outcome) ? 'reading' : 'denied']++;
    }),
    { numRuns: 2_000 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
});

test.each(['null', '[]', '"users:read"', '5', '', '{', '{"sub":"a"}', '\uFEFF{}', '[{"scope":"users:read"}]'])(
  'claims that are %j are refused',
  async (text) => {
    expect(await authorize(await issuer.signText(text))).toBe(REFUSED);
  },
);

test('an expiry that JSON can write and JavaScript cannot hold is refused', async () => {
  const text = JSON.stringify({ iss: issuer.url, aud: AUDIENCE, sub: 'someone', exp: 0 });
  expect(await authorize(await issuer.signText(text.replace('"exp":0', '"exp":1e999')))).toBe(REFUSED);
});
