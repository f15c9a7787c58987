import { expect, test } from 'vitest';
import { helpFor } from '../../../../tools/local/help.ts';
import { filesLike, read } from '../../../support/files.ts';

const namesIn = (text: string): string[] => text.match(/\b[A-Z]+_[A-Z_]+\b|\bPORT\b/g) ?? [];

test('the help of npm start is for this command alone', () => {
  expect([['offline'], ['deploy', '--help'], ['--help'], []].map(helpFor)).toEqual(Array(4).fill(undefined));
  expect(helpFor(['offline', '-h'])).toBe(helpFor(['offline', '--stage', 'prod', '--help']));
});

test('the help of npm start has each variable that its sources read, and no other; docs/client.md names only these', () => {
  const sources = [...filesLike('tools/local/{,openSearch/}*.ts').map(read), read('serverless.yml')].join();
  const known = [...sources.matchAll(/optionalVariable\('(\w+)'\)|\$\{env:(OIDC_ISSUER|OIDC_AUDIENCE),/g)];
  const variables = [...new Set(known.map(([, local, setting]) => local ?? setting ?? ''))].filter(
    (name) => name !== 'npm_command',
  );
  const help = helpFor(['offline', '--help']) ?? '';
  expect(namesIn(help).toSorted()).toEqual(variables.toSorted());
  const [, start = ''] = read('docs/client.md').split('\n## Start it\n');
  const named = namesIn(start.split('\n## ')[0] ?? '');
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !variables.includes(name))).toEqual([]);
});
