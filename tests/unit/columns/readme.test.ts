import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT, read } from '../../support/files.ts';

/** The first block of a language. */
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';

test('the example of the README shows pages, a walk, counts, changes, a compaction and a snapshot, by the face alone', () => {
  const page = read('lib/columns/README.md');
  const example = blockOf(page, 'ts');
  const shown = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', example], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(shown).toBe(blockOf(page, 'text'));
  expect(shown.split('\n').length).toBeGreaterThan(10);
  expect(example.match(/from '[^']+'/g)).toEqual(["from './lib/columns/index.ts'"]);
});

test('the README tells of every value of the face', async () => {
  const page = read('lib/columns/README.md');
  const face = await import('../../../lib/columns/index.ts');
  expect(Object.keys(face).filter((name) => !new RegExp(`\`${name}\\b`).test(page))).toEqual([]);
});
