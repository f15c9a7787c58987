import { expect, test } from 'vitest';
import { greeting } from '../../../../tools/local/greeting.ts';

const authentication = { issuer: '', audience: '', mayBeOpen: true, cacheSeconds: 300 };
const of = { stage: 'dev', host: 'localhost', port: 3000, place: 'in a.db', authentication, historyDays: 0 };

/** Its lines that are not empty. */
const lines = (more: object) =>
  greeting({ ...of, eventsFile: undefined, ...more })
    .split('\n')
    .filter(Boolean);

test.each([
  [{}, []],
  [{ authentication: { ...authentication, issuer: 'none' } }, []],
  [
    { stage: 'prod', authentication: { ...authentication, mayBeOpen: false } },
    [expect.stringMatching(/^Stage prod is open to all, because this is local: with OIDC_ISSUER/)],
  ],
  [{ historyDays: 7, eventsFile: 'e' }, [expect.stringMatching(/changes, and are appended to e\.$/)]],
])('a service with %j says what to try, and %j', (more, others) => {
  expect(lines(more)).toEqual([
    'Users are served at http://localhost:3000/api/users (data in a.db). Try:',
    '  npm run seed',
    '  curl -s http://localhost:3000/api/users',
    'or open http://localhost:3000/api/admin in a browser, or http://localhost:3000/api/docs.',
    ...others,
  ]);
});

test('where callers need a token, the service says whose, and sends one', () => {
  const said = lines({ authentication: { ...authentication, issuer: 'https://id.example', audience: 'users' } });
  expect(said).toContain('  curl -s -H "Authorization: Bearer $TOKEN" http://localhost:3000/api/users');
  expect(said).toContain('Callers need a token of https://id.example for users.');
});

test.each([
  ['0.0.0.0', 'localhost:3000'],
  ['::1', '[::1]:3000'],
])('a service that listens on %s is at %s', (host, at) => {
  expect(lines({ host })[0]).toContain(`http://${at}/api/users`);
});
