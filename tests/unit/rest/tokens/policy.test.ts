import type { Statement } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../../../lib/http/routes.ts';
import { needsToken } from '../../../../lib/rest/index.ts';
import { policyFor } from '../../../../lib/rest/tokens/policy.ts';
import { readYaml } from '../../../support/files.ts';

const API = 'arn:aws:execute-api:eu-central-1:123456789012:abc123/prod';

const policy = (...scopes: string[]) =>
  policyFor(
    { routes: ROUTES },
    { subject: 'ann', scopes: new Set(scopes), expires: 1_700_000_000 },
    `${API}/GET/api/users/5`,
  );

const SCOPES = ['users:read', 'users:write', 'users:audit'];
const SUBSETS = Array.from({ length: 2 ** SCOPES.length - 1 }, (_, n) =>
  SCOPES.filter((_, i) => ((n + 1) >> i) % 2 === 1),
);

/** Decides like API Gateway: `*` is any text, even with slashes, and a denial wins. */
function mayInvoke(statements: readonly Statement[], arn: string): boolean {
  const matches = ({ Resource }: Statement & { Resource?: unknown }) =>
    ([Resource].flat() as string[]).some((pattern) =>
      new RegExp(`^${pattern.replace(/[.?+^$()[\]{}|\\/]/g, '\\$&').replaceAll('*', '.*')}$`).test(arn),
    );
  const matching = statements.filter(matches).map(({ Effect }) => Effect);
  return matching.includes('Allow') && !matching.includes('Deny');
}

/** API Gateway prefers a path without parameters, so no GET of the id `all` or `changes` takes the route of an id. */
const idsOf = (method: string, path: string): string[] => {
  const ids = ['5', '-1', '9007199254740993', 'x%2Fchanges'];
  if (!path.includes('{id}')) return [''];
  return method === 'GET' && path.endsWith('{id}') ? ids : [...ids, 'all', 'changes'];
};

/** Each request that needs a token, with its scopes. */
const requests = ROUTES.filter(needsToken).flatMap(({ method, path, scopes }) =>
  idsOf(method, path).flatMap((id) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).flatMap((verb) =>
      ['', '/'].map((end) => ({ request: `${verb}${path.replace('{id}', id)}${end}`, scopes })),
    ),
  ),
);

describe('the policy of a token', () => {
  test.each(SUBSETS.map((scopes) => ({ scopes })))(
    'with the scopes $scopes allows exactly the routes that need no others, and is small enough for API Gateway',
    ({ scopes }) => {
      const { policyDocument } = policy(...scopes, 'openid');
      const others = ['TRACE/api/users', 'GET/api/other', 'DELETE/api/users'];
      const allowed = [...requests.map(({ request }) => request), ...others].filter((request) =>
        mayInvoke(policyDocument.Statement, `${API}/${request}`),
      );
      const due = requests.filter((request) => request.scopes.every((scope) => scopes.includes(scope)));
      expect(allowed).toEqual(due.map(({ request }) => request));
      expect(JSON.stringify(policyDocument).length).toBeLessThan(7_900);
    },
  );

  test('names the caller, its scopes of this service, and when the token expires', () => {
    const context = { expires: 1_700_000_000, heldScopes: 'users:read users:audit' };
    expect(policy('users:audit', 'users:read', 'openid')).toMatchObject({ principalId: 'ann', context });
    expect(requests.length).toBeGreaterThan(60);
  });

  // API Gateway puts values into the line as they are.
  test.each(['ann', 'a"b', 'a","status":"200', 'a\\', 'a\nb'])(
    'keeps the line of the access log whole with the subject %j',
    (subject) => {
      const { context } = policyFor(
        { routes: ROUTES },
        { subject, scopes: new Set(), expires: 1_700_000_000 },
        `${API}/GET/api/users/5`,
      );
      const values: Record<string, unknown> = { '$context.authorizer.escapedSubject': context?.escapedSubject };
      const { ApiStage } = readYaml('tools/deploy/api.yml').Resources;
      const format: string = ApiStage.Properties.AccessLogSetting.Format;
      const line = format.replaceAll(/\$context[\w.]+/g, (name) => String(values[name] ?? '-'));
      expect(JSON.parse(line)).toMatchObject({ by: subject, status: '-' });
    },
  );
});
