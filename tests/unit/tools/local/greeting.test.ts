import { expect, test, vi } from 'vitest';
import type { Serverless } from '../../../../tools/deploy/framework.ts';
import { greeting } from '../../../../tools/local/greeting.ts';
import { CUSTOM } from '../../../support/deployPlugin.ts';

/** The sentences of a service behind the commands to try. */
function also(stage: string, authentication: object, historyDays = 0): string {
  const custom = { authentication: { ...CUSTOM.authentication, ...authentication }, events: { historyDays } };
  const service = { custom, provider: { stage } } as Serverless['service'];
  const [said = '', others = ''] = greeting(service, '0.0.0.0', 3000, 'in a.db').split('docs.\n\n');
  expect(said).toContain('Users are served at http://localhost:3000/api/users (data in a.db). Try:');
  expect(said).toMatch(/npm run seed$/m);
  return others.trim();
}

test.each([
  [3000, 'npm run seed'],
  [3917, 'npm run seed -- --port 3917'],
])('a service on port %i says the command that fills it: %s', (port, command) => {
  const custom = { authentication: CUSTOM.authentication, events: { historyDays: 0 } };
  const service = { custom, provider: { stage: 'dev' } } as Serverless['service'];
  expect(greeting(service, 'localhost', port, 'in a.db')).toContain(`\n  ${command}\n`);
});

test('a service that has begun says whose tokens callers need, why they need none at prod, and where changes are', () => {
  vi.stubEnv('EVENTS_FILE', 'e.ndjson');
  expect(also('dev', { issuer: '' })).toBe('');
  expect(also('dev', {})).toBe('Callers need a token of https://id.example for users.');
  expect(also('prod', { issuer: '', mayBeOpen: false }, 7)).toBe(
    'No token is needed, because this is local. Deployed, stage prod needs an issuer.\n\n' +
      'Changes are at http://localhost:3000/api/users/changes, and are appended to e.ndjson.',
  );
});
