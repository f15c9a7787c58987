import { expect, test } from 'vitest';
import { helpFor } from '../../../../tools/local/help.ts';
import { read } from '../../../support/files.ts';

test('the help of npm start is for this command alone', () => {
  expect([['offline'], ['deploy', '--help'], ['--help'], []].map(helpFor)).toEqual(Array(4).fill(undefined));
  expect(helpFor(['offline', '-h'])).toBe(helpFor(['offline', '--stage', 'prod', '--help']));
});

test('the help of npm start has the variables of docs/client.md, and no other', () => {
  const [, table = ''] = read('docs/client.md').split('\n| Variable | Means |\n');
  const rows = (table.split('\n\n')[0] ?? '').match(/^\| `.*? \|/gm) ?? [];
  const namesIn = (text: string): string[] => text.match(/\b[A-Z]+_[A-Z_]+\b|\bPORT\b/g) ?? [];
  expect(rows.length).toBeGreaterThan(5);
  expect(namesIn(helpFor(['offline', '--help']) ?? '').toSorted()).toEqual(namesIn(rows.join()).toSorted());
});
