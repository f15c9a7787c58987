import { describe, expect, test } from 'vitest';
import { policyFor } from '../../../lib/auth/policy.ts';

const API = 'arn:aws:execute-api:eu-central-1:123456789012:abc123/prod';
const ARN = `${API}/GET/api/users/5`;

const policy = (...scopes: string[]) =>
  policyFor({ subject: 'ann', scopes: new Set(scopes), expires: 1_700_000_000 }, ARN);

const READS = ['', '/', '/all', '/all/', '/cursor', '/cursor/', '/search', '/search/', '/*'].flatMap((path) => [
  `${API}/GET/api/users${path}`,
  `${API}/HEAD/api/users${path}`,
]);
const WRITES = [
  `${API}/POST/api/users`,
  `${API}/POST/api/users/`,
  `${API}/PUT/api/users/*`,
  `${API}/PATCH/api/users/*`,
  `${API}/DELETE/api/users/*`,
];

const allows = (Resource: string[]) => [
  { Action: 'execute-api:Invoke', Effect: 'Allow', Resource: expect.toSatisfy(sameAs(Resource)) },
];
const sameAs = (expected: string[]) => (actual: string[]) =>
  JSON.stringify([...actual].sort()) === JSON.stringify([...expected].sort());

describe('the policy of a token', () => {
  test.each([
    [['users:read'], READS],
    [['users:write'], WRITES],
    [
      ['users:read', 'users:write', 'openid'],
      [...READS, ...WRITES],
    ],
  ])('with the scopes %j allows their routes in the whole API', (scopes, resources) => {
    expect(policy(...scopes)).toEqual({
      principalId: 'ann',
      policyDocument: { Version: '2012-10-17', Statement: allows(resources) },
      context: { expires: 1_700_000_000 },
    });
  });

  test.each([[[]], [['users:admin', 'USERS:READ', 'read']]])('with the scopes %j allows nothing', (scopes) => {
    expect(policy(...scopes).policyDocument.Statement).toEqual([
      { Action: 'execute-api:Invoke', Effect: 'Deny', Resource: `${API}/*` },
    ]);
  });
});
