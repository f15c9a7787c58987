import type { Statement } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { policyFor } from '../../../lib/auth/policy.ts';
import { needsToken, ROUTES } from '../../../lib/http/routes.ts';

const API = 'arn:aws:execute-api:eu-central-1:123456789012:abc123/prod';
const ARN = `${API}/GET/api/users/5`;

const policy = (...scopes: string[]) =>
  policyFor({ subject: 'ann', scopes: new Set(scopes), expires: 1_700_000_000 }, ARN);

const SCOPES = ['users:read', 'users:write', 'users:audit'];

const SUBSETS = Array.from({ length: 2 ** SCOPES.length }, (_, n) => SCOPES.filter((_, i) => (n >> i) % 2 === 1));

/** Decides like API Gateway: `*` is any text, even with slashes, and a denial wins. */
function mayInvoke(statements: readonly Statement[], arn: string): boolean {
  const matches = ({ Resource }: Statement & { Resource?: unknown }) =>
    ([Resource].flat() as string[]).some((pattern) =>
      new RegExp(`^${pattern.replace(/[.?+^$()[\]{}|\\/]/g, '\\$&').replaceAll('*', '.*')}$`).test(arn),
    );
  const matching = statements.filter(matches).map(({ Effect }) => Effect);
  return matching.includes('Allow') && !matching.includes('Deny');
}

const IDS = ['5', 'all', 'changes', '-1', '9007199254740993', 'x%2Fchanges'];

const requests = ROUTES.filter(needsToken).flatMap(({ method, path, scopes }) =>
  (path.includes('{id}') ? IDS : ['']).flatMap((id) =>
    ['', '/'].flatMap((end) =>
      (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((verb) => ({
        request: `${verb}${path.replace('{id}', id)}${end}`,
        scopes: scopes as readonly string[],
        /** API Gateway prefers the path without parameters, so no request takes this route. */
        isHidden: ['all', 'changes'].includes(id) && path.endsWith('{id}') && method === 'GET',
      })),
    ),
  ),
);

describe('the policy of a token', () => {
  test.each(SUBSETS.filter(({ length }) => length > 0).map((scopes) => ({ scopes })))(
    'with the scopes $scopes allows exactly the routes that need no others',
    ({ scopes }) => {
      const { Statement: statements } = policy(...scopes, 'openid').policyDocument;
      const shown = requests.filter(({ isHidden }) => !isHidden);
      expect(shown.length).toBeGreaterThan(60);
      for (const { request, scopes: needed } of shown) {
        const isAllowed = mayInvoke(statements as Statement[], `${API}/${request}`);
        expect({ request, isAllowed }).toEqual({
          request,
          isAllowed: needed.every((scope) => scopes.includes(scope)),
        });
      }
      for (const other of ['TRACE/api/users', 'GET/api/other', 'DELETE/api/users'])
        expect(mayInvoke(statements as Statement[], `${API}/${other}`)).toBe(false);
    },
  );

  test('names the caller and when the token expires', () => {
    expect(policy('users:read')).toMatchObject({ principalId: 'ann', context: { expires: 1_700_000_000 } });
  });

  test.each([[[]], [['users:admin', 'USERS:READ', 'read']]])('with the scopes %j allows nothing', (scopes) => {
    expect(policy(...scopes).policyDocument.Statement).toEqual([
      { Action: 'execute-api:Invoke', Effect: 'Deny', Resource: [`${API}/*`] },
    ]);
  });

  test('is small enough for API Gateway', () => {
    for (const scopes of SUBSETS) expect(JSON.stringify(policy(...scopes)).length).toBeLessThan(8_000);
  });
});
