import { describe, expect, test } from 'vitest';
import { protect, refusalOf } from '../../../../lib/tooling/deploy/authentication.ts';
import type { FunctionEvents } from '../../../../lib/tooling/deploy/events.ts';

const settings = { issuer: 'https://id.example', audience: 'users', mayBeOpen: true, cacheSeconds: 300 };

describe('a stage', () => {
  test.each([
    ['with an issuer and an audience', {}],
    ['that may be open, with "none" as its issuer,', { issuer: 'none', audience: '' }],
  ])('%s can be deployed', (_, more) => {
    expect(refusalOf('dev', { ...settings, ...more })).toBeUndefined();
  });

  test.each([
    [
      { issuer: '' },
      'Stage dev needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens, or to "none" to let everyone in.',
    ],
    [
      { issuer: '', mayBeOpen: false },
      'Stage dev needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens.',
    ],
    [
      { issuer: 'none', mayBeOpen: false },
      'Stage dev needs authentication: set OIDC_ISSUER to the URL of the issuer of your tokens.',
    ],
    [{ issuer: 'http://id.example' }, 'OIDC_ISSUER must be an https URL, not http://id.example.'],
    [{ issuer: 'id.example' }, 'OIDC_ISSUER must be an https URL, not id.example.'],
    [{ audience: '' }, 'Set OIDC_AUDIENCE to what your tokens are made out to, their "aud".'],
  ])('with %j cannot be deployed', (more, refusal) => {
    expect(refusalOf('dev', { ...settings, ...more })).toBe(refusal);
  });
});

test('a route that is not listed needs a token, in either notation', () => {
  const functions: Record<string, FunctionEvents> = {
    forgotten: { events: [{ http: 'get api/users/new' }, { http: { method: 'GET', path: '/api/docs/new' } }] },
  };
  protect(functions, 60);
  const authorizer = expect.objectContaining({ name: 'authorizer', resultTtlInSeconds: 60 });
  expect(functions.forgotten?.events).toEqual([
    { http: { method: 'get', path: 'api/users/new', authorizer } },
    { http: { method: 'GET', path: '/api/docs/new', authorizer } },
  ]);
});
